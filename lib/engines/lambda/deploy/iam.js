'use strict'

/** Asks IAM, with limits on the time and the size of its answers. */

const { configuredEndpoint, dnsSuffix, isAws, loadProfiles, requestHandler } = require('../../../aws')
const { readBody } = require('../../../http')
const { XferError } = require('./errors')

/** @typedef {import('../service/settings').LambdaSettings} LambdaSettings */

const SILENCE_MS = 30_000
const MOST_BYTES = 1024 ** 2

/**
 * @param {LambdaSettings} settings
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} [signal]
 * @returns {Promise<(command: string, input: object) => Promise<any>>} sends one request: the name of a command of
 *   `@aws-sdk/client-iam`, without `Command`; rejects with the SDK's errors
 * @throws {XferError} USAGE if Lambda has an endpoint of its own and IAM has none: the role would be made at AWS
 */
async function openIam(settings, env, signal) {
  if (!(await hasIam(settings, env))) {
    throw new XferError('USAGE', {
      text: `Lambda is at ${settings.endpoint}, and no endpoint of IAM is configured.`,
      advice: 'Set AWS_ENDPOINT_URL_IAM, or name a role with --role.',
    })
  }
  const { region, credentials, ca, proxy } = settings
  const endpoint = await endpointOfIam(settings, env)
  // The SDK must not print warnings on the user's terminal. It reads this variable.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const iam = /** @type {any} */ (require('@aws-sdk/client-iam'))
  const origin = endpoint ?? `https://iam.${dnsSuffix(region)}`
  const client = new iam.IAMClient({
    region,
    ...(endpoint && { endpoint }),
    ignoreConfiguredEndpointUrls: true,
    credentials,
    requestHandler: requestHandler(origin, { silenceMs: SILENCE_MS, ca, proxy }),
  })
  client.middlewareStack.add(reader, { step: 'deserialize', priority: 'low', name: 'xferReader' })
  return (command, input) =>
    client.send(new iam[`${command}Command`](input), { abortSignal: signal, requestTimeout: SILENCE_MS })
}

/** Reads the body of an answer in place of the SDK, which would wait for it for ever. @param {any} next */
function reader(next) {
  return async (/** @type {any} */ args) => {
    const result = await next(args)
    const body = await readBody(result.response.body, { most: MOST_BYTES, silenceMs: SILENCE_MS })
    if (!body) throw new Error('the answer is too long')
    result.response.body = body
    return result
  }
}

/** Whether IAM belongs to the same cloud as Lambda. @param {LambdaSettings} settings @param {NodeJS.ProcessEnv} env */
async function hasIam(settings, env) {
  const { endpoint } = settings
  if (endpoint === undefined || isAws(new URL(endpoint).hostname)) return true
  return (await endpointOfIam(settings, env)) !== undefined
}

/** @param {LambdaSettings} settings @param {NodeJS.ProcessEnv} env */
async function endpointOfIam({ profileName }, env) {
  return configuredEndpoint('IAM', env, await loadProfiles(env, 'iam'), profileName)
}

module.exports = { hasIam, openIam }
