'use strict'

/**
 * The address of OpenWhisk and the key for it, found as `wsk` finds them. The key is never an option, because process lists
 * show options.
 */

const { homedir } = require('node:os')
const { join } = require('node:path')
const { usage } = require('../../errors')
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
 * @property {string} [ca] certificates to trust in addition to the usual ones, PEM
 * @property {(url: string | URL) => string} [proxy] the proxy of a URL; '' for none; absent: none
 */

/**
 * Takes host and key each from the first place that has it: `--apihost`, `APIHOST`/`AUTH`, `__OW_API_HOST`/`__OW_API_KEY`,
 * then the file that WSK_CONFIG_FILE names, or ~/.wskprops.
 *
 * @param {{ apihost?: string, caBundle?: string }} options caBundle: a file of certificates to trust; default AWS_CA_BUNDLE
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<PlatformSettings | undefined>} undefined if no platform is configured
 * @throws {XferError} USAGE if a host has no key, if it is not valid, or if the file has no certificates
 */
async function resolvePlatform(options, env) {
  const path = env.WSK_CONFIG_FILE || join(env.HOME || homedir(), '.wskprops')
  const properties = parseProperties(await readOptional(path))
  const host = options.apihost ?? (env.APIHOST || env.__OW_API_HOST || properties.APIHOST)
  const auth = env.AUTH || env.__OW_API_KEY || properties.AUTH
  if (!host && options.apihost === undefined) return undefined
  const apihost = normalizeHost(host ?? '')
  if (!auth) {
    throw usage(
      `The OpenWhisk host ${apihost} is configured, and no key for it.`,
      `Set AUTH in ${path} or in the environment.`,
    )
  }
  return {
    apihost,
    where: apihost,
    reach: reachOf(apihost),
    auth,
    namespace: env.NAMESPACE || properties.NAMESPACE || '_',
    insecure: env.__OW_IGNORE_CERTS === 'true',
    ca: await optionalCaBundle(options.caBundle, env),
    proxy: environmentProxy(env),
    from: options.apihost !== undefined ? '--apihost' : env.APIHOST || env.__OW_API_HOST ? 'the environment' : path,
    keyFrom: env.AUTH || env.__OW_API_KEY ? 'the environment' : path,
  }
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

module.exports = { ACTION, resolvePlatform }
