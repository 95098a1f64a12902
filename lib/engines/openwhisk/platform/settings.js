'use strict'

/**
 * Where OpenWhisk is, found the way `wsk` finds it. A key is never an option: options show in process lists.
 */

const { homedir } = require('node:os')
const { join } = require('node:path')
const { XferError } = require('../../../errors')
const { isLoopback, optionalCaBundle, readOptional } = require('../../../http')
const { actionName } = require('./package')

/**
 * @typedef {object} PlatformSettings
 * @property {string} apihost with its protocol, without a closing slash
 * @property {string} auth
 * @property {string} namespace
 * @property {string} from where the host was found, for people
 * @property {string} [keyFrom] where the key was found, for people
 * @property {boolean} insecure
 * @property {string} [ca] certificates to trust in addition to the usual ones, PEM
 *
 * @typedef {PlatformSettings & import('../../contract').EngineSettings & { action: string }} Settings action: with its package
 */

/**
 * Host and key each from the first place that has it: `--apihost`, `APIHOST`/`AUTH`, `__OW_API_HOST`/`__OW_API_KEY`,
 * then the file WSK_CONFIG_FILE names or ~/.wskprops.
 *
 * @param {{ apihost?: string, caBundle?: string }} options caBundle: a file of certificates to trust, else AWS_CA_BUNDLE
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<PlatformSettings | undefined>} undefined where no platform is configured
 * @throws {XferError} USAGE where a host is configured without a key, or the host is no host, or no certificates are in the file
 */
async function resolvePlatform(options, env) {
  const path = env.WSK_CONFIG_FILE || join(env.HOME || homedir(), '.wskprops')
  const properties = parseProperties(await readOptional(path))
  const host = options.apihost ?? (env.APIHOST || env.__OW_API_HOST || properties.APIHOST)
  const auth = env.AUTH || env.__OW_API_KEY || properties.AUTH
  if (!host && options.apihost === undefined) return undefined
  const apihost = normalizeHost(host ?? '')
  if (!auth) {
    throw new XferError('USAGE', {
      text: `The OpenWhisk host ${apihost} is configured, and no key for it.`,
      advice: `Set AUTH in ${path} or in the environment.`,
    })
  }
  return {
    apihost,
    auth,
    namespace: env.NAMESPACE || properties.NAMESPACE || '_',
    insecure: env.__OW_IGNORE_CERTS === 'true',
    ca: await optionalCaBundle(options.caBundle, env),
    from: options.apihost !== undefined ? '--apihost' : env.APIHOST || env.__OW_API_HOST ? 'the environment' : path,
    keyFrom: env.AUTH || env.__OW_API_KEY ? 'the environment' : path,
  }
}

/**
 * Likewise, and which action it is to run.
 *
 * @param {{ apihost?: string, caBundle?: string, packageName?: string }} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Settings | undefined>}
 * @throws {XferError} USAGE
 */
async function resolveEngine(options, env) {
  const platform = await resolvePlatform(options, env)
  if (!platform) return undefined
  const reach = isLoopback(new URL(platform.apihost).hostname) ? 'local' : 'network'
  return { ...platform, where: platform.apihost, reach, action: actionName(options.packageName) }
}

/** Lines of NAME=value; blank lines and those with a # in front are passed over. @param {string} text */
function parseProperties(text) {
  /** @type {Record<string, string>} */
  const properties = {}
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*([A-Za-z_]+)\s*=\s*(.*?)\s*$/.exec(line)
    if (match) properties[match[1].toUpperCase()] = match[2].replace(/^(["'])(.*)\1$/, '$2')
  }
  return properties
}

/** A host without a protocol is reached by https, as with `wsk`. @param {string} apihost */
function normalizeHost(apihost) {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(apihost) ? apihost : `https://${apihost}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  const web = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !web || url.username || url.password || url.search || url.hash) {
    throw new XferError('USAGE', {
      text: 'The OpenWhisk host is not a host name or an http or https URL.',
      advice: 'Give it as host, host:port or https://host:port.',
    })
  }
  return url.origin + url.pathname.replace(/\/+$/, '')
}

module.exports = { resolveEngine, resolvePlatform }
