'use strict'

/**
 * Function, region, endpoint and credentials of AWS Lambda, found as every AWS tool finds them.
 * https://docs.aws.amazon.com/sdkref/latest/guide/settings-reference.html
 */

const { chainedCredentials, configuredEndpoint, environmentCredentials, loadProfiles } = require('../../aws')
const { redact, usage } = require('../../errors')
const { environmentProxy, reachOf, trustedCertificates, webAddress } = require('../../http')

const FUNCTION = 'xfer-copy-range'

/** A name, `account:function:name`, or an ARN, each with a version or an alias: API reference, Invoke, FunctionName. */
const NAME =
  /^(?:arn:aws[\w-]*:lambda:(?<region>[a-z]+(?:-[a-z]+)+-\d+):)?(?:\d{12}:function:)?[\w-]{1,64}(?<qualifier>:(?:\$LATEST|[\w-]{1,128}))?$/

/**
 * @typedef {object} FunctionName
 * @property {string} text as it was given
 * @property {string} name without version and alias; an ARN stays one
 * @property {string} [qualifier] a version or an alias
 * @property {string} [region] of an ARN
 */

/**
 * @typedef {object} LambdaSettings
 * @property {FunctionName} fn
 * @property {string} region
 * @property {string} [endpoint] absent: the region's own
 * @property {string} where for messages
 * @property {'network' | 'local'} reach
 * @property {string} from for messages: where the function was named
 * @property {string} keyFrom for messages: where the credentials come from
 * @property {import('../../types').CredentialsProvider} credentials
 * @property {string} [ca] certificates to trust in addition to the usual ones, PEM
 * @property {(url: string | URL) => string} [proxy] the proxy of a URL; '' for none
 */

/**
 * @param {string} [text] from `--function`
 * @returns {FunctionName}
 * @throws {XferError} USAGE
 */
function parseFunctionName(text = FUNCTION) {
  const { region, qualifier } = NAME.exec(text)?.groups ?? {}
  const fits = NAME.test(text) && (!text.startsWith('arn:') || /:\d{12}:function:/.test(text))
  if (!fits) {
    throw usage(
      `--function "${text}" cannot be the name of a function.`,
      'Give it as name, name:alias or arn:aws:lambda:region:account:function:name.',
    )
  }
  return {
    text,
    name: qualifier ? text.slice(0, -qualifier.length) : text,
    qualifier: qualifier?.slice(1),
    region,
  }
}

/**
 * Precedence: the option, the environment, the profile.
 *
 * @param {{ functionName?: string, caBundle?: string }} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<LambdaSettings>}
 * @throws {XferError} USAGE
 */
async function resolveLambda({ functionName, caBundle }, env) {
  const given = functionName ?? (env.XFER_LAMBDA_FUNCTION || undefined)
  const fn = parseFunctionName(given)
  const profiles = await loadProfiles(env, 'lambda')
  const profileName = env.AWS_PROFILE || 'default'
  const profile = profiles[profileName] ?? {}
  const endpoint = readEndpoint(configuredEndpoint('LAMBDA', env, profile)[0])
  const region = checkRegion(fn.region ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || profile.region))
  const keys = environmentCredentials(env)
  return {
    fn,
    region,
    endpoint,
    where: endpoint === undefined ? `AWS Lambda in ${region}` : `AWS Lambda at ${endpoint}`,
    reach: endpoint === undefined ? 'network' : reachOf(endpoint),
    from: functionName !== undefined ? '--function' : given === undefined ? '--engine' : 'the environment',
    keyFrom: keys ? 'the environment' : `the profile "${profileName}"`,
    credentials: keys ? async () => keys : chainedCredentials(profileName, env),
    ca: await trustedCertificates([
      [caBundle, '--ca-bundle'],
      [env.AWS_CA_BUNDLE || undefined, 'AWS_CA_BUNDLE'],
      [profile.caBundle, `the profile "${profileName}"`],
    ]),
    proxy: environmentProxy(env),
  }
}

/** @param {string | undefined} text */
function readEndpoint(text) {
  if (text === undefined) return undefined
  const wrong = `The endpoint of Lambda, "${redact(text)}", is not an http or https URL.`
  return webAddress(text, wrong, 'Give it as http://host:port or https://host.')
}

/** @param {string | undefined} region @returns {string} @throws {XferError} USAGE */
function checkRegion(region) {
  if (region === undefined || region === '') {
    throw usage(
      'The region of the Lambda function is not known.',
      'Give it with AWS_REGION, or the ARN of the function with --function.',
    )
  }
  // It is a label of a host name.
  if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(region)) return region
  throw usage(`The region "${region}" cannot be the name of a region.`, 'Give it as us-east-1.')
}

/** Whose prices apply. @param {any} [configuration] of the function; absent: nobody was asked */
const providerOf = configuration => (configuration?.Architectures?.[0] === 'arm64' ? 'AWS Lambda arm64' : 'AWS Lambda')

module.exports = { parseFunctionName, providerOf, resolveLambda }
