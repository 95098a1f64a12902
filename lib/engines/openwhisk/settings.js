'use strict'

/**
 * The address of OpenWhisk and the key for it, found as `wsk` finds them. The key is never an option, because process lists
 * show options.
 */

const { readdir } = require('node:fs/promises')
const { join } = require('node:path')
const { usage } = require('../../errors')
const { inHome } = require('../../files')
const { environmentProxy, optionalCaBundle, reachOf, readOptional, webAddress } = require('../../http')

/** The function, with its package, as manifest.yaml names it. */
const ACTION = 'xfer/copy-range'

/**
 * @typedef {object} PlatformSettings
 * @property {string} apihost with its protocol, without a trailing slash
 * @property {string} where the same
 * @property {'network' | 'local'} reach
 * @property {string} auth
 * @property {string} namespace
 * @property {string} from for messages: where the host was found
 * @property {string} [keyFrom] for messages: where the key was found
 * @property {boolean} insecure
 * @property {boolean} [inside] a function of the platform asks
 * @property {string} [ca] certificates to trust in addition to the usual ones, PEM
 * @property {(url: string | URL) => string} [proxy] the proxy of a URL; '' for none; absent: none
 */

/** Where Adobe's tools keep theirs. https://github.com/adobe/aio-lib-runtime */
const OF_ADOBE = ['AIO_RUNTIME_', 'AIO_runtime_']
const ADOBE_HOST = 'https://adobeioruntime.net'

/**
 * Takes host and key each from the first place that has it: `--apihost`, `APIHOST`/`AUTH`, `__OW_API_HOST`/`__OW_API_KEY`,
 * then the file that WSK_CONFIG_FILE names, or ~/.wskprops; where no host is found so, Adobe's `AIO_RUNTIME_*`. The host may be a
 * name, `adobe` or `digitalocean`: then all is taken from that provider's tool.
 *
 * @param {{ apihost?: string, caBundle?: string }} options caBundle: a file of certificates to trust; default AWS_CA_BUNDLE
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<PlatformSettings | undefined>} undefined if no platform is configured
 * @throws {XferError} USAGE if a host has no key, if it is not valid, or if the file has no certificates
 */
async function resolvePlatform(options, env) {
  const path = env.WSK_CONFIG_FILE || inHome(env, '.wskprops')
  const properties = parseProperties(await readOptional(path))
  const named = options.apihost ?? (env.APIHOST || env.__OW_API_HOST || properties.APIHOST)
  const found = await ofProvider(named, env)
  if (!found && !named && options.apihost === undefined) return undefined
  const apihost = normalizeHost(found?.host ?? named ?? '')
  const inEnvironment = env.AUTH || env.__OW_API_KEY
  const auth = found ? found.key : inEnvironment || properties.AUTH
  if (!auth) {
    const where = found?.keyIn ?? `Set AUTH in ${path} or in the environment.`
    throw usage(`The OpenWhisk host ${apihost} is configured, and no key for it.`, where)
  }
  const hostFrom =
    options.apihost !== undefined ? '--apihost' : env.APIHOST || env.__OW_API_HOST ? 'the environment' : path
  return {
    apihost,
    where: apihost,
    reach: reachOf(apihost),
    auth,
    namespace: found?.namespace || env.NAMESPACE || properties.NAMESPACE || '_',
    insecure: env.__OW_IGNORE_CERTS === 'true',
    ...(env.__OW_ACTION_NAME && { inside: true }),
    ca: await optionalCaBundle(options.caBundle, env),
    proxy: environmentProxy(env),
    from: found?.from ?? hostFrom,
    keyFrom: found?.from ?? (inEnvironment ? 'the environment' : path),
  }
}

/**
 * What a provider's own tool has configured.
 *
 * @param {string | undefined} named the host, or the name of a provider; undefined: none is configured
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ host: string, key?: string, namespace?: string, from: string, keyIn: string } | undefined>}
 * @throws {XferError} USAGE
 */
async function ofProvider(named, env) {
  if (named === 'digitalocean') return await ofDigitalOcean(env)
  if (named && named !== 'adobe') return undefined
  const of = (/** @type {string} */ name) => {
    const values = OF_ADOBE.map(prefix => env[prefix + (prefix === OF_ADOBE[0] ? name.toUpperCase() : name)])
    return values.find(Boolean)
  }
  const key = of('auth')
  const keyIn = 'Set AIO_RUNTIME_AUTH: aio app use writes it into the .env of the project.'
  if (!key && !named) return undefined
  return { host: of('apihost') ?? ADOBE_HOST, key, namespace: of('namespace'), from: 'AIO_RUNTIME_*', keyIn }
}

/** The file that `doctl serverless connect` writes. https://github.com/digitalocean/doctl @param {NodeJS.ProcessEnv} env */
async function ofDigitalOcean(env) {
  const folders = [env.XDG_CONFIG_HOME || inHome(env, '.config'), inHome(env, 'Library', 'Application Support')]
  const files = env.XFER_DOCTL_CREDENTIALS ? [env.XFER_DOCTL_CREDENTIALS] : []
  if (files.length === 0) {
    for (const folder of folders) {
      const creds = join(folder, 'doctl', 'sandbox', 'creds')
      const accounts = await readdir(creds).catch(() => [])
      files.push(...accounts.map(account => join(creds, account, 'credentials.json')))
    }
  }
  const advice = 'Connect with: doctl serverless connect. XFER_DOCTL_CREDENTIALS names a file where there are several.'
  if (files.length !== 1) {
    const what = files.length === 0 ? 'no credentials of doctl are found' : `doctl has ${files.length} of them`
    throw usage(`The credentials for DigitalOcean Functions are not known: ${what}.`, advice)
  }
  const [from] = files
  /** @type {any} */
  let document
  try {
    document = JSON.parse((await readOptional(from)) ?? '')
  } catch {
    throw usage(`${from} is no file of credentials of doctl.`, advice)
  }
  const { currentHost: host, currentNamespace: namespace } = document ?? {}
  if (typeof host !== 'string') throw usage(`${from} names no host.`, advice)
  return { host, key: document.credentials?.[host]?.[namespace]?.api_key, namespace, from, keyIn: advice }
}

/** Parses lines of NAME=value; skips blank lines and comments (#). @param {string} text */
function parseProperties(text) {
  /** @type {Record<string, string>} */
  const properties = {}
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([A-Za-z_]+)\s*=\s*(.*?)\s*$/.exec(line)
    if (match) properties[match[1].toUpperCase()] = match[2].replace(/^(["'])(.*)\1$/, '$2')
  }
  return properties
}

/** A host without a protocol is used with https, as by `wsk`. @param {string} apihost */
function normalizeHost(apihost) {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(apihost) ? apihost : `https://${apihost}`
  const wrong = 'The OpenWhisk host is not a host name or an http or https URL.'
  return webAddress(url, wrong, 'Give it as host, host:port or https://host:port.')
}

/** Whose prices apply: the hosts of `doctl serverless` have a name. @param {string} apihost */
const providerOf = apihost => (/\.doserverless\.co$/.test(apihost) ? 'DigitalOcean Functions' : undefined)

module.exports = { ACTION, providerOf, resolvePlatform }
