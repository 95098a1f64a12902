'use strict'

/**
 * Endpoint, credentials and other settings of one side's account.
 *
 * Precedence of credentials: none with --source-no-sign-request; a connection string, a key or a SAS of this side alone
 * (`XFER_SOURCE_AZURE_STORAGE_…`), then one of both sides (`AZURE_STORAGE_…`); else a token of Microsoft Entra ID.
 */

const { isIP } = require('node:net')
const { XferError } = require('../../errors')
const { isLoopback, trustedCertificates } = require('../../http')
const { checkPrivate, endpointOf, firstEndpoint, usage } = require('../common')
const { entraTokens, findKeys } = require('./credentials')

/** @typedef {import('../../types').SideOptions} SideOptions */
/** @typedef {'source' | 'destination'} Side */
/**
 * @typedef {import('../contract').Place & { account: string }} AzurePlace
 *
 * @typedef {import('../contract').StoreSettings & OwnSettings} AzureSettings the settings of one side
 *
 * @typedef {object} OwnSettings
 * @property {string} account
 * @property {string} endpoint without a closing slash; in path style with the account: `http://127.0.0.1:10000/devstoreaccount1`
 * @property {string | null} endpointFrom what sets it, for messages; null: nothing does
 * @property {import('./credentials').AzureCredentials} credentials
 * @property {string} [versionId] a version, as Azure writes its time
 */

/**
 * @param {import('../contract').Place} place
 * @param {Side} side
 * @param {SideOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @param {() => number} [now] epoch milliseconds
 * @returns {Promise<AzureSettings>}
 * @throws {XferError} USAGE, BAD_CREDENTIALS, CREDENTIALS_EXPIRED
 */
async function resolveSide({ account = '' }, side, options, env, now = Date.now) {
  const variables = variablesOf(side, env)
  const keys = options.noSignRequest ? undefined : findKeys(variables, { side, account, now: now() })
  const { endpoint, endpointFrom } = findEndpoint(side, account, options, { variables, connection: keys })
  const bundle = variables.own('CA_BUNDLE')
  const ca = await trustedCertificates([
    [options.caBundle, '--ca-bundle'],
    [bundle?.value, bundle?.from ?? ''],
  ])
  const { versionId } = options
  return {
    side,
    account,
    ...{ endpoint, endpointFrom },
    ca,
    credentials: keys?.credentials ?? unkeyed(),
    ...(versionId !== undefined && { versionId: checkVersion(versionId) }),
    keep: { endpointUrl: endpointFrom === null ? undefined : endpoint, versionId },
  }

  /** @returns {AzureSettings['credentials']} */
  function unkeyed() {
    if (options.noSignRequest) return { kind: 'anonymous', words: 'only what is public can be read' }
    const tenant = variables.any('AZURE_TENANT_ID')?.value
    const what = { secret: 'A token of Microsoft Entra ID', advice: TOKEN_ADVICE }
    return entraTokens(side, { tenant, env, check: () => checkPrivate(endpoint, side, what) })
  }
}

const TOKEN_ADVICE = 'Give the endpoint as https://host, or set AZURE_STORAGE_KEY.'

/** https://learn.microsoft.com/en-us/azure/storage/blobs/versioning-overview */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z$/

/** @param {string} text @throws {XferError} USAGE */
function checkVersion(text) {
  if (TIME.test(text)) return text
  throw new XferError('USAGE', {
    text: `--version-id "${text}" cannot be a version.`,
    advice: 'Give it as Azure lists it, such as 2026-11-23T09:30:00.1234567Z.',
  })
}

/** @typedef {{ value: string, from: string }} Found from: the variable, for messages */
/** @typedef {(name: string) => Found | undefined} Read an empty variable counts as not set */
/** @typedef {{ own: Read, general: Read, any: Read }} Variables own: of this side alone; any: own, else general */

/**
 * The variables of Azure's own tools; with `XFER_SOURCE_` or `XFER_DEST_` before them they are of one side, and win.
 *
 * @param {'source' | 'destination'} side
 * @param {NodeJS.ProcessEnv} env
 * @returns {Variables}
 */
function variablesOf(side, env) {
  const prefix = side === 'source' ? 'XFER_SOURCE_' : 'XFER_DEST_'
  /** @param {string} from */
  const read = from => (env[from] ? { value: env[from], from } : undefined)
  /** @type {Read} */
  const own = name => read(prefix + name)
  return { own, general: read, any: name => own(name) ?? read(name) }
}

/**
 * @param {'source' | 'destination'} side
 * @param {string} account
 * @param {SideOptions} options
 * @param {{ variables: Variables, connection?: { endpoint?: string, from: string } }} where
 * @returns {{ endpoint: string, endpointFrom: string | null }}
 * @throws {XferError} USAGE
 */
function findEndpoint(side, account, options, { variables: { own, general }, connection }) {
  const variable = own('ENDPOINT_URL') ?? own('AZURE_STORAGE_SERVICE_ENDPOINT')
  const service = general('AZURE_STORAGE_SERVICE_ENDPOINT')
  const [url, from = null] = firstEndpoint(side, options, [
    [variable?.value, variable?.from],
    [connection?.endpoint, connection?.from],
    [service?.value, service?.from],
  ])
  if (url === undefined) return { endpoint: `https://${account}.blob.core.windows.net`, endpointFrom: null }
  return { endpoint: checkEndpoint(url, side, account), endpointFrom: from }
}

/**
 * @param {string} text
 * @param {'source' | 'destination'} side
 * @param {string} account
 * @returns {string} an origin with a path, without a closing slash. A host that cannot have the account in its name gets it in the path.
 */
function checkEndpoint(text, side, account) {
  const url = endpointOf(text, side, {
    advice: 'Give it as https://host or http://host:port/ACCOUNT.',
    ofQuery: 'Put a SAS into AZURE_STORAGE_SAS_TOKEN.',
  })
  if (/^[a-z0-9-]+(?:\.z\d+)?\.dfs\./.test(url.hostname)) {
    const advice = `Give the blob service: ${url.origin.replace('.dfs.', '.blob.')}`
    throw usage(`The ${side}'s endpoint "${text}" is that of Data Lake Storage.`, advice)
  }
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path === '' && !namesAccount(url.hostname) ? `/${account}` : path)
}

/** Whether requests to this host may go without the account in the path. @param {string} hostname */
function namesAccount(hostname) {
  const bare = hostname.replace(/^\[|\]$/g, '')
  const [first, ...rest] = bare.split('.')
  // Azurite takes ACCOUNT.localhost as well.
  if (isLoopback(bare)) return rest.length > 0 && rest.at(-1) === 'localhost' && first !== 'localhost'
  return isIP(bare) === 0 && rest.length > 0
}

module.exports = { resolveSide }
