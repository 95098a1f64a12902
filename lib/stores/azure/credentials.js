'use strict'

/**
 * The account's key or the SAS, from the environment, and what they say of themselves; or tokens of Microsoft Entra ID from the Azure
 * CLI: people, applications, managed identities and workload identities all log in with `az login`. Secrets are passed on as
 * functions, which nothing prints or writes down.
 * https://learn.microsoft.com/en-us/azure/storage/common/storage-configure-connection-string
 * https://learn.microsoft.com/en-us/rest/api/storageservices/delegate-access-with-shared-access-signature
 * https://learn.microsoft.com/en-us/cli/azure/account#az-account-get-access-token
 */

const { promisify } = require('node:util')
const { memoizeShared } = require('../../async')
const { XferError, withoutSecrets } = require('../../errors')
const { homeOf } = require('../../files')
const { readTime } = require('../common')
const { termsOf } = require('./explain')

/** @typedef {import('./settings').AccountSettings} AccountSettings */
/** @typedef {{ side: 'source' | 'destination', account: string, now: number }} CredentialOptions account: of the place; now: epoch milliseconds */
/**
 * Secrets are behind functions, which are never printed, journaled or sent. words: what they are, without a secret; expiresMs: epoch
 * milliseconds, absent if they do not tell; of a SAS, token: the query, without a question mark, percent-encoded as it was given; get: the
 * token of Microsoft Entra ID now; renew: asks for a new one after the store refused this one.
 *
 * @typedef {{ token: string, expiration: Date }} Token
 * @typedef {{ words: string, expiresMs?: number } & (
 *   { kind: 'sharedKey', key(): Buffer } | { kind: 'sas', token(): string } | { kind: 'anonymous' } |
 *   { kind: 'token', get(): Promise<Token>, renew(refused: Token): Promise<boolean> }
 * )} AzureCredentials
 */

/**
 * What `UseDevelopmentStorage=true` means: Azurite, whose key everybody knows, here or on the host of `DevelopmentStorageProxyUri`.
 *
 * @param {Record<string, string>} found @returns {Record<string, string>}
 */
const developmentAt = ({ developmentstorageproxyuri: uri = 'http://127.0.0.1' }) => ({
  accountname: 'devstoreaccount1',
  accountkey: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  blobendpoint: `${uri.replace(/\/+$/, '')}:10000/devstoreaccount1`,
})

const COPY_AGAIN = 'Copy it again, from the portal or az storage account show-connection-string.'

const WAYS = ['AZURE_STORAGE_CONNECTION_STRING', 'AZURE_STORAGE_KEY', 'AZURE_STORAGE_SAS_TOKEN']

/**
 * What the environment has of keys, of this side or else of both: a connection string, a key or a SAS, in this order.
 *
 * @param {import('./settings').Variables} variables
 * @param {CredentialOptions} how
 * @returns {{ credentials: AzureCredentials, endpoint?: string, from: string } | undefined} from: the variable, for messages
 * @throws {XferError} BAD_CREDENTIALS, CREDENTIALS_EXPIRED
 */
function findKeys({ own, general, any }, how) {
  for (const read of [own, general]) {
    const [connection, key, sas] = WAYS.map(read)
    if (connection) return readConnectionString(connection, how)
    const found = key ?? sas
    if (!found) continue
    const { from } = found
    // The account of both sides says nothing of a key that is of one.
    const owner = read === own ? own('AZURE_STORAGE_ACCOUNT') : any('AZURE_STORAGE_ACCOUNT')
    if (owner) checkOwner(owner.value, { from, by: ` (${owner.from})` }, how)
    return { credentials: key ? accountKey(key, from) : sasCredentials(found, from, how), from }
  }
  return undefined
}

/**
 * @param {AccountSettings} variable
 * @param {CredentialOptions} how
 * @returns {NonNullable<ReturnType<typeof findKeys>>}
 * @throws {XferError} BAD_CREDENTIALS; it quotes nothing of the text
 */
function readConnectionString({ value, from }, how) {
  /** @param {string} fault */
  const bad = fault => new XferError('BAD_CREDENTIALS', { text: `${from} ${fault}.`, advice: COPY_AGAIN })
  /** @type {Record<string, string>} */
  const found = {}
  // Files of variables keep the quotes that a shell removes.
  const bare = value.trim().replace(/^(['"])(.*)\1$/s, '$2')
  for (const pair of bare.split(';').map(one => one.trim())) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    if (equals < 1) throw bad('is no connection string: it has something other than Name=value between semicolons')
    found[pair.slice(0, equals).trim().toLowerCase()] = pair.slice(equals + 1).trim()
  }
  const given = found.usedevelopmentstorage?.toLowerCase() === 'true' ? developmentAt(found) : found
  const { accountname, accountkey: key, sharedaccesssignature: sas, blobendpoint: endpoint = ofSuffix(given) } = given
  if (accountname === undefined && endpoint === undefined) throw bad('has neither AccountName nor BlobEndpoint')
  if (key === undefined && sas === undefined) throw bad('has neither AccountKey nor SharedAccessSignature')
  const owner = accountname ?? accountOf(endpoint ?? '')
  if (owner) checkOwner(owner, { from, by: '' }, how)
  const credentials =
    key === undefined
      ? sasCredentials({ value: sas, from: `SharedAccessSignature of ${from}` }, from, how)
      : accountKey({ value: key, from: `AccountKey of ${from}` }, from)
  return { credentials, endpoint, from }
}

/** @param {Record<string, string>} found @returns {string | undefined} undefined: the usual one */
function ofSuffix({ accountname, defaultendpointsprotocol: protocol = 'https', endpointsuffix: suffix }) {
  if (accountname === undefined || (suffix === undefined && protocol === 'https')) return undefined
  return `${protocol}://${accountname}.blob.${suffix ?? 'core.windows.net'}`
}

/**
 * The account that an endpoint belongs to.
 *
 * @param {string} endpoint
 * @returns {string | undefined} undefined: it does not tell
 */
function accountOf(endpoint) {
  if (!URL.canParse(endpoint)) return undefined
  const { hostname, pathname } = new URL(endpoint)
  return (
    /^([a-z0-9]{3,24})(?:-secondary)?\.(?:z\d+\.|privatelink\.)?blob\./.exec(hostname)?.[1] ??
    (pathname.split('/')[1] || undefined)
  )
}

/**
 * @param {string} owner the account that the key or the SAS is of
 * @param {{ from: string, by: string }} told by: what says so, if that is another variable
 * @param {CredentialOptions} how
 * @throws {XferError} BAD_CREDENTIALS: it is not that of the place
 */
function checkOwner(owner, { from, by }, { side, account }) {
  if (owner === account) return
  const variable = side === 'source' ? 'XFER_SOURCE' : 'XFER_DEST'
  throw new XferError('BAD_CREDENTIALS', {
    text: `The account of the ${side} is "${account}", and ${from} is of the account "${owner}"${by}.`,
    advice: `Set ${variable}_AZURE_STORAGE_KEY, ${variable}_AZURE_STORAGE_SAS_TOKEN or ${variable}_AZURE_STORAGE_CONNECTION_STRING for the account "${account}".`,
  })
}

/** @param {AccountSettings} found @param {string} variable @returns {AzureCredentials} */
function accountKey({ value, from }, variable) {
  const key = Buffer.from(value, 'base64')
  if (key.length === 0 || key.toString('base64') !== value) {
    const fault = /\s/.test(value) ? 'has a blank or a line end' : 'is no account key, which is a text in base64'
    const advice = 'Copy it again, from "Access keys" of the portal or az storage account keys list.'
    throw new XferError('BAD_CREDENTIALS', { text: `${from} ${fault}.`, advice })
  }
  return { kind: 'sharedKey', words: `the key of the account, from ${variable}`, key: () => key }
}

/** @param {AccountSettings} found @param {string} variable @param {CredentialOptions} how @returns {AzureCredentials} */
function sasCredentials({ value, from }, variable, { side, now }) {
  const advice = 'Give what stands behind the question mark of its address: sv=…&sig=….'
  /** @param {string} fault */
  const bad = fault => new XferError('BAD_CREDENTIALS', { text: `${from} ${fault}.`, advice })
  // Azure's own tools take it with its question mark, too.
  const token = value.replace(/^\?/, '')
  if (/^https?:/i.test(token)) throw bad('is an address, not a SAS')
  if (!/^[\x21-\x7e]+$/.test(token)) throw bad('has a blank, a line end or a character outside ASCII')
  const query = new URLSearchParams(token)
  if (!query.get('sig')) throw bad('is no SAS: it has no signature (sig=)')
  const [startsMs, expiresMs] = ['st', 'se'].map(name => readTime(query.get(name) ?? ''))
  if (expiresMs !== undefined && expiresMs <= now) {
    const advice = `The SAS of ${from} ended at ${timeText(expiresMs)}: set a new one.`
    throw new XferError('CREDENTIALS_EXPIRED', { side, advice })
  }
  const early = startsMs !== undefined && startsMs > now ? `begins only at ${timeText(startsMs)}` : undefined
  const fault = early ?? lackOf(query, side)
  if (fault) {
    const advice = `Make a SAS of the blob service, for objects, with at least sp=${side === 'source' ? 'rl' : 'racwl'}.`
    throw new XferError('BAD_CREDENTIALS', { text: `The SAS of the ${side} (${from}) ${fault}.`, advice })
  }
  const permissions = query.get('sp')
  const allows = permissions ? `with sp=${permissions}` : 'with the rights of a stored access policy'
  const ends = expiresMs === undefined ? '' : `, until ${new Date(expiresMs).toISOString()}`
  const words = `a SAS, from ${variable}, ${allows}${ends}; functions do not get it, so this machine copies`
  return { kind: 'sas', words, token: () => token, expiresMs }
}

/**
 * Why a copy cannot work with this SAS, as far as its own parameters tell.
 *
 * @param {URLSearchParams} query its parameters: without `sp` a stored access policy says what it allows; `ss` and `srt` are of the SAS
 *   of an account
 * @param {'source' | 'destination'} side
 * @returns {string | undefined} a verb phrase; undefined if nothing speaks against it
 */
function lackOf(query, side) {
  /** @type {Array<[name: string, needed: string, lack: string]>} */
  const needs = [
    ['ss', 'b', 'is not for blobs'],
    ['srt', 'o', 'is not for objects'],
    side === 'source' ? ['sp', 'r', 'does not allow reading'] : ['sp', 'w', 'does not allow writing'],
  ]
  const lacking = needs.find(([name, needed]) => query.get(name) && !query.get(name)?.includes(needed))
  return lacking && `${lacking[2]} (${lacking[0]}=${query.get(lacking[0])})`
}

/** @param {number} ms */
function timeText(ms) {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

/** What tokens are for, in each cloud. https://learn.microsoft.com/en-us/azure/storage/blobs/authorize-access-azure-active-directory */
const RESOURCE = 'https://storage.azure.com/'
const LIMIT_MS = 30_000

/**
 * @param {'source' | 'destination'} side
 * @param {{ tenant?: string, env: NodeJS.ProcessEnv, check: () => void }} how check: throws if no token may be sent to the store
 * @returns {AzureCredentials} asks nobody before its first call
 */
function entraTokens(side, { tenant, env, check }) {
  const asked = memoizeShared(env, `azure ${side} ${tenant}`, async () => await askAzureCli(side, { tenant, env }))
  const get = async () => {
    check()
    return await asked()
  }
  return { kind: 'token', words: 'a token of Microsoft Entra ID, by the Azure CLI', get, renew: asked.renew }
}

/**
 * @param {'source' | 'destination'} side
 * @param {{ tenant?: string, env: NodeJS.ProcessEnv }} how
 * @returns {Promise<Token>}
 * @throws {XferError} NO_CREDENTIALS if there is no Azure CLI, BAD_CREDENTIALS
 */
async function askAzureCli(side, { tenant, env }) {
  /** @param {string} reason */
  const failed = reason =>
    new XferError('BAD_CREDENTIALS', {
      text: `The Azure CLI gave no token of Microsoft Entra ID for the ${side}: ${reason}.`,
      advice: 'Run az login, then repeat the command; or set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN.',
    })
  // Loaded only where it is needed.
  const run = promisify(require('node:child_process').execFile)
  const words = ['account', 'get-access-token', '--output', 'json', '--resource', RESOURCE]
  const args = tenant && /^[\w.-]+$/.test(tenant) ? [...words, '--tenant', tenant] : words
  // On Windows az is a script, which only a shell starts. Its folder is the user's own: that of the shell could have another az.
  const how = { env, cwd: homeOf({}), timeout: LIMIT_MS, windowsHide: true, shell: process.platform === 'win32' }
  const { stdout } = await run('az', args, how).catch(({ code, killed, stderr = '' }) => {
    // The shell of Windows says with 9009, or in words, that there is no such program.
    if (code === 'ENOENT' || code === 9009 || /not recognized/.test(stderr)) {
      throw new XferError('NO_CREDENTIALS', { side, terms: termsOf(side) })
    }
    throw failed(killed ? `it did not answer within ${LIMIT_MS / 1000} seconds` : said(stderr))
  })
  const { accessToken: token, expires_on: seconds, expiresOn: local } = parsed(stdout)
  const expiration = new Date(seconds === undefined ? Date.parse(local) : Number(seconds) * 1000)
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token) || !(expiration.getTime() > Date.now())) {
    throw failed('the answer has no token with the time of its life')
  }
  return { token, expiration }
}

/** @param {string} stderr @returns {string} its first line, without a full stop */
function said(stderr) {
  const text = stderr.replace(/^(?:WARNING|ERROR): /gim, '').trim()
  const [first] = text.split(/[\r\n]/, 1)
  return withoutSecrets(first.slice(0, 300).replace(/\.$/, '') || 'it failed without a word')
}

/** @param {string} text of a secret @returns {any} {} if it is no object */
function parsed(text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

module.exports = { entraTokens, findKeys }
