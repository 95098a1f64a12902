'use strict'

/**
 * Places in Azure Blob Storage: their syntax, how a blob is named in a URL, and which endpoints are of one account. And the endpoint,
 * credentials and other settings of one side's account.
 *
 * Precedence of credentials: none with --source-no-sign-request; a connection string, a key or a SAS of this side alone
 * (`XFER_SOURCE_AZURE_STORAGE_…`), then one of both sides (`AZURE_STORAGE_…`); else a token of Microsoft Entra ID.
 */

const { isIP } = require('node:net')
const { XferError } = require('../../errors')
const { isLoopback, trustedCertificates } = require('../../http')
const { brief, checkPrivate, endpointOf, firstEndpoint, nameAdvice, usage } = require('../common')

/** @typedef {import('../../types').SideOptions} SideOptions */
/** @typedef {import('../../types').SideName} SideName */
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

/** https://learn.microsoft.com/en-us/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata */
const MOST_KEY_CHARACTERS = 1024
const MOST_SEGMENTS = 254
const ACCOUNT = /^[a-z0-9]{3,24}$/
/** Three to 63 characters, with single hyphens inside; or a container that Azure itself makes. */
const CONTAINER = /^(?=.{3,63}$)(?:[a-z0-9]+(?:-[a-z0-9]+)*|\$(?:root|web|logs|blobchangefeed))$/
/** @type {import('../common/objects').NameRule[]} */
const NAMES = [
  { breaks: /^.{0,2}$|^.{64}/, says: 'is not 3 to 63 characters long' },
  { breaks: /[A-Z]/, says: 'has upper case letters' },
  { breaks: /[^A-Za-z0-9-]/, says: 'has characters other than letters, digits and hyphens' },
  { breaks: /^-|-$|--/, says: 'begins or ends with a hyphen, or has two side by side' },
]
/** Characters that no name has. A text with one of them may hold a secret, so it is not shown. */
const ODD = /[?@:]/

/**
 * Parses a place. The key is everything after the container's slash, without percent-decoding, query or fragment.
 *
 * @param {string} text `az://account/container/key`
 * @param {{ refuse: import('../contract').RefusePlace }} how
 * @returns {AzurePlace} key is '' if none was given
 * @throws {XferError} BAD_LOCATION
 */
function parse(text, { refuse }) {
  const [, account, container = '', key = ''] = /^az:\/\/([^/]*)(?:\/([^/]*)(?:\/(.*))?)?$/is.exec(text) ?? []
  // A SAS or a key must not appear in a log.
  const secret = /[?&]sig=/i.test(text) || ODD.test(`${account}${container}`)
  const location = secret ? 'az://…' : brief(text)

  /** @param {string} reason */
  const bad = reason => refuse(reason, location)
  if (/[?&]sig=/i.test(text)) throw bad('it has a SAS; give that in AZURE_STORAGE_SAS_TOKEN instead')
  if (!account) throw bad('it names no account')
  if (!ACCOUNT.test(account)) {
    const lower = /[A-Z]/.test(account) ? ', which has no capitals' : ''
    throw bad(`${named(account)} cannot be the name of a storage account${lower}`)
  }
  if (container === '') throw bad('it names no container')
  if (!CONTAINER.test(container))
    throw bad(`${named(container)} cannot be the name of a container${nameAdvice(container, NAMES)}`)
  return { scheme: 'az', account, container, key }
}

/** A place whose containers are to be listed: `az://account`. @param {string} text @returns {AzurePlace | undefined} */
function parseAccount(text) {
  const [, account] = /^az:\/\/([^/]*)\/?$/i.exec(text) ?? []
  return account !== undefined && ACCOUNT.test(account) ? { scheme: 'az', account, container: '', key: '' } : undefined
}

/** @param {string} name for messages, without what may be a secret */
function named(name) {
  return ODD.test(name) ? 'what stands there' : `"${brief(name)}"`
}

/**
 * Azure resolves the path of a URL as Windows does: it takes a backslash for a slash, follows `./` and `../` (out of the container,
 * too), and drops the dots at the end of a segment. So such a key would be another blob's.
 *
 * @param {string} key
 * @returns {string | undefined} the reason why it is invalid, to follow "the key"
 */
function keyFault(key) {
  if (!key.isWellFormed()) return 'is no valid Unicode'
  if (key.includes('\\')) return 'has a backslash, which Azure Blob Storage takes for a slash'
  if (/\.(?:\/|$)/.test(key)) return 'has a dot at the end of a segment, which Azure Blob Storage drops'
  if (key.length > MOST_KEY_CHARACTERS) return 'is longer than 1,024 characters'
  return key.split('/').length > MOST_SEGMENTS ? `has more than ${MOST_SEGMENTS} segments between slashes` : undefined
}

/** By the end of the host. https://learn.microsoft.com/en-us/azure/storage/common/storage-account-overview#storage-account-endpoints */
/** @type {Record<string, string | undefined>} */
const CLOUDS = {
  'core.windows.net': 'public',
  'storage.azure.net': 'public',
  'core.usgovcloudapi.net': 'usgov',
  'core.chinacloudapi.cn': 'china',
}

/** @param {string} hostname @returns {string | undefined} undefined: it is none of Azure's own */
function cloudOf(hostname) {
  return CLOUDS[/^[a-z0-9-]+(?:\.z\d+|\.privatelink)?\.blob\.(.+)$/.exec(hostname)?.[1] ?? '']
}

/**
 * Two endpoints of one account (`blob.core.windows.net`, `z01.blob.storage.azure.net`) are one store, so of Azure's own hosts
 * the account alone counts: its name is unique within a cloud.
 *
 * @param {import('../contract').Place} _place
 * @param {Pick<import('./settings').AzureSettings, 'account' | 'endpoint'>} settings
 * @returns {import('../contract').Identity}
 */
function identify(_place, { account, endpoint }) {
  const url = new URL(endpoint)
  const cloud = cloudOf(url.hostname)
  const at = isLoopback(url.hostname) ? `loopback:${url.port}` : url.host
  const host = cloud === undefined ? `${at}${url.pathname.replace(/\/$/, '')}` : `azure:${cloud}:${account}`
  return {
    host,
    // Azure limits the requests of each account separately.
    server: cloud === undefined ? at : host,
    name: cloud === undefined ? endpoint : 'Azure',
    lends: true,
    pulls: true,
  }
}

/**
 * @param {import('../contract').Place} place
 * @param {SideName} side
 * @param {SideOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @param {() => number} [now] epoch milliseconds
 * @returns {Promise<AzureSettings>}
 * @throws {XferError} USAGE, BAD_CREDENTIALS, CREDENTIALS_EXPIRED
 */
async function resolveSide({ account = '', container }, side, options, env, now = Date.now) {
  const variables = variablesOf(side, env)
  // Places alone need no credentials.
  const { entraTokens, findKeys } = require('./credentials')
  const keys = options.noSignRequest ? undefined : findKeys(variables, { side, account, now: now() })
  const { endpoint, endpointFrom } = findEndpoint(side, { account, container }, options, {
    variables,
    connection: keys,
  })
  const bundle = variables.own('CA_BUNDLE')
  const ca = await trustedCertificates([
    [options.caBundle, '--ca-bundle'],
    [bundle?.value, bundle?.from ?? ''],
  ])
  const { versionId } = options
  return {
    side,
    account,
    endpoint,
    endpointFrom,
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

/** @typedef {{ value: string, from: string }} AccountSettings from: the variable, for messages */
/** @typedef {(name: string) => AccountSettings | undefined} VariableReader an empty variable counts as not set */
/** @typedef {{ own: VariableReader, general: VariableReader, any: VariableReader }} Variables own: of this side alone; any: own, else general */

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
  /** @type {VariableReader} */
  const own = name => read(prefix + name)
  return { own, general: read, any: name => own(name) ?? read(name) }
}

/**
 * @param {'source' | 'destination'} side
 * @param {{ account: string, container: string }} place
 * @param {SideOptions} options
 * @param {{ variables: Variables, connection?: { endpoint?: string, from: string } }} where
 * @returns {{ endpoint: string, endpointFrom: string | null }}
 * @throws {XferError} USAGE
 */
function findEndpoint(side, place, options, { variables: { own, general }, connection }) {
  const variable = own('ENDPOINT_URL') ?? own('AZURE_STORAGE_SERVICE_ENDPOINT')
  const service = general('AZURE_STORAGE_SERVICE_ENDPOINT')
  const [url, from = null] = firstEndpoint(side, options, [
    [variable?.value, variable?.from],
    [connection?.endpoint, connection?.from],
    [service?.value, service?.from],
  ])
  if (url === undefined) return { endpoint: `https://${place.account}.blob.core.windows.net`, endpointFrom: null }
  return { endpoint: checkEndpoint(url, side, { ...place, from }), endpointFrom: from }
}

/**
 * @param {string} text
 * @param {'source' | 'destination'} side
 * @param {{ account: string, container: string, from: string | null }} place from: what sets the endpoint
 * @returns {string} an origin with a path, without a closing slash. A host that cannot have the account in its name gets it in the path.
 * @throws {XferError} USAGE
 */
function checkEndpoint(text, side, { account, container, from }) {
  const url = endpointOf(text, side, {
    advice: 'Give it as https://host or http://host:port/ACCOUNT.',
    ofQuery: 'Put a SAS into AZURE_STORAGE_SAS_TOKEN.',
  })
  if (/^[a-z0-9-]+(?:\.z\d+)?\.dfs\./.test(url.hostname)) {
    const advice = `Give the blob service: ${url.origin.replace('.dfs.', '.blob.')}`
    throw usage(`The ${side}'s endpoint "${text}" is that of Data Lake Storage.`, advice)
  }
  const path = url.pathname.replace(/\/+$/, '')
  // Azure's portal prints the address of a container. As an endpoint it would make the container's name the beginning of each key.
  const inHost = url.hostname.startsWith(`${account}.`)
  const own = cloudOf(url.hostname) !== undefined
  if (own ? path !== '' : path.endsWith(`${inHost ? '' : `/${account}`}/${container}`)) {
    const plain = own ? '' : path.slice(0, -container.length - 1)
    const why = own
      ? 'has a path, which Azure would take for the container'
      : `names the container "${container}", as the location does: names of blobs would begin with "${container}/"`
    throw usage(`The ${side}'s endpoint "${text}" (set by ${from}) ${why}.`, `Give it as ${url.origin}${plain}.`)
  }
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

module.exports = { identify, keyFault, parse, parseAccount, resolveSide }
