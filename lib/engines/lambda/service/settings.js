'use strict'

/**
 * Function, region, endpoint and credentials of AWS Lambda, found as every AWS tool finds them.
 * https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html
 */

const { chainedCredentials, configuredEndpoint, environmentCredentials, loadProfiles } = require('../../../aws')
const { redact } = require('../../../errors')
const { environmentProxy, isLoopback, trustedCertificates } = require('../../../http')
const { XferError } = require('./errors')
const { parseFunctionName } = require('./function-name')

/**
 * @typedef {object} LambdaSettings
 * @property {import('./function-name').FunctionName} fn
 * @property {string} region
 * @property {string} [endpoint] absent: the region's own
 * @property {string} where for messages
 * @property {string} [profileName] of the profile that an option names
 * @property {string[]} flags the options that name region, profile and endpoint, as one types them
 * @property {'network' | 'local'} reach
 * @property {string} from for messages: where the function was named
 * @property {string} keyFrom for messages: where the credentials come from
 * @property {import('../../../types').CredentialsProvider} credentials
 * @property {string} [ca] certificates to trust in addition to the usual ones, PEM
 * @property {(url: string | URL) => string} [proxy] the proxy of a URL; '' for none
 */

/** @typedef {{ functionName?: string, lambdaRegion?: string, lambdaProfile?: string, lambdaEndpoint?: string, caBundle?: string }} Options */

/**
 * Precedence: option, the profile that an option names, the environment, the default profile.
 *
 * @param {Options} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<LambdaSettings>}
 * @throws {XferError} USAGE, LAMBDA_NO_CREDENTIALS if the profile does not exist
 */
async function resolveLambda(options, env) {
  const given = options.functionName ?? (env.XFER_LAMBDA_FUNCTION || undefined)
  const fn = parseFunctionName(given)
  const profiles = await loadProfiles(env, 'lambda')
  const { lambdaProfile: named } = options
  if (named !== undefined && !profiles[named]) {
    throw new XferError('LAMBDA_NO_CREDENTIALS', { reason: `there is no profile "${named}"` })
  }
  const profile = named === undefined ? {} : profiles[named]
  const fallbackName = env.AWS_PROFILE || 'default'
  const fallback = profiles[fallbackName] ?? {}
  const endpoint = checkEndpoint(options.lambdaEndpoint ?? configuredEndpoint('LAMBDA', env, profiles, named))
  const region = checkRegion(
    fn,
    options.lambdaRegion,
    profile.region ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || fallback.region),
  )
  const keys = named === undefined ? environmentCredentials(env) : undefined
  return {
    fn,
    region,
    ...(endpoint !== undefined && { endpoint }),
    ...(named !== undefined && { profileName: named }),
    flags: flagsOf(options),
    where: endpoint === undefined ? `AWS Lambda in ${region}` : `AWS Lambda at ${endpoint}`,
    reach: endpoint !== undefined && isLoopback(new URL(endpoint).hostname) ? 'local' : 'network',
    from: flagOf(options) ?? (given === undefined ? '--engine' : 'the environment'),
    keyFrom: keys ? 'the environment' : `the profile "${named ?? fallbackName}"`,
    credentials: keys ? async () => keys : chainedCredentials(named ?? fallbackName, env),
    ca: await trustedCertificates([
      [options.caBundle, '--ca-bundle'],
      [profile.caBundle, `the profile "${named}"`],
      [env.AWS_CA_BUNDLE || undefined, 'AWS_CA_BUNDLE'],
      [fallback.caBundle, `the profile "${fallbackName}"`],
    ]),
    proxy: environmentProxy(env),
  }
}

/**
 * The engine's settings. Credentials alone configure nothing: nearly everybody with an S3 bucket has some.
 *
 * @param {Options} options
 * @param {NodeJS.ProcessEnv} env
 * @param {boolean} asked the engine was named
 * @returns {Promise<LambdaSettings | undefined>}
 * @throws {XferError} as `resolveLambda`
 */
async function resolveEngine(options, env, asked) {
  if (!asked && flagOf(options) === undefined && !env.XFER_LAMBDA_FUNCTION) return undefined
  return await resolveLambda(options, env)
}

/** @param {Options} options @returns {string | undefined} the first option of Lambda that was given */
function flagOf({ functionName, lambdaRegion, lambdaProfile, lambdaEndpoint }) {
  if (functionName !== undefined) return '--function'
  if (lambdaEndpoint !== undefined) return '--lambda-endpoint'
  if (lambdaRegion !== undefined) return '--lambda-region'
  return lambdaProfile === undefined ? undefined : '--lambda-profile'
}

/** @param {Options} options @returns {string[]} */
function flagsOf({ lambdaRegion, lambdaProfile, lambdaEndpoint }) {
  const given = {
    '--lambda-region': lambdaRegion,
    '--lambda-profile': lambdaProfile,
    '--lambda-endpoint': lambdaEndpoint,
  }
  return Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag, quoted(value)]))
}

/** A word of a command line. @param {string} text */
function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** @param {string | undefined} text @returns {string | undefined} an origin with a path, without a closing slash */
function checkEndpoint(text) {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const web = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !web || url.username || url.password || url.search || url.hash) {
    throw new XferError('USAGE', {
      text: `The endpoint of Lambda, "${redact(text)}", is not an http or https URL.`,
      advice: 'Give it as http://host:port or https://host.',
    })
  }
  return url.origin + (url.pathname === '/' ? '' : url.pathname.replace(/\/+$/, ''))
}

/**
 * @param {import('./function-name').FunctionName} fn
 * @param {string | undefined} given by option
 * @param {string | undefined} configured elsewhere
 * @returns {string}
 */
function checkRegion({ text, region: own }, given, configured) {
  const region = given ?? own ?? configured
  if (region === undefined || region === '') {
    throw new XferError('USAGE', {
      text: 'The region of the Lambda function is not known.',
      advice: 'Give it with --lambda-region or AWS_REGION: that of the source, or of the destination.',
    })
  }
  if (own !== undefined && own !== region) {
    throw new XferError('USAGE', {
      text: `The function ${text} is not in the region ${region}.`,
      advice: 'Leave out --lambda-region.',
    })
  }
  // The SDK uses it as a label of a host name.
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(region)) return region
  throw new XferError('USAGE', {
    text: `The region "${region}" cannot be the name of a region.`,
    advice: 'Give it as us-east-1.',
  })
}

module.exports = { resolveEngine, resolveLambda }
