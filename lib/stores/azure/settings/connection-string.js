'use strict'

/** Connection strings. https://learn.microsoft.com/en-us/azure/storage/common/storage-configure-connection-string */

const { XferError } = require('../../../errors')

/** What `UseDevelopmentStorage=true` means: the account of Azurite, whose key everybody knows. */
const DEVELOPMENT = {
  accountname: 'devstoreaccount1',
  accountkey: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
}

const ADVICE = 'Copy it again, from the portal or az storage account show-connection-string.'

/**
 * @typedef {object} Connection
 * @property {string} [account]
 * @property {string} [key] in base64
 * @property {string} [sas]
 * @property {string} [endpoint]
 */

/**
 * @param {string} text
 * @param {string} from what sets it, for messages
 * @returns {Connection}
 * @throws {XferError} BAD_CREDENTIALS; it quotes nothing of the text
 */
function readConnectionString(text, from) {
  /** @param {string} fault */
  const bad = fault => new XferError('BAD_CREDENTIALS', { text: `${from} ${fault}.`, advice: ADVICE })
  /** @type {Record<string, string>} */
  const found = {}
  // Files of variables keep the quotes that a shell removes.
  const bare = text.trim().replace(/^(['"])(.*)\1$/s, '$2')
  for (const pair of bare.split(';').map(one => one.trim())) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    if (equals < 1) throw bad('is no connection string: it has something other than Name=value between semicolons')
    found[pair.slice(0, equals).trim().toLowerCase()] = pair.slice(equals + 1).trim()
  }
  if (found.usedevelopmentstorage?.toLowerCase() === 'true') return ofDevelopment(found)
  const { accountname: account, accountkey: key, sharedaccesssignature: sas, blobendpoint } = found
  const endpoint = blobendpoint ?? ofSuffix(found)
  if (account === undefined && endpoint === undefined) throw bad('has neither AccountName nor BlobEndpoint')
  if (key === undefined && sas === undefined) throw bad('has neither AccountKey nor SharedAccessSignature')
  return { account, key, sas, endpoint }
}

/** @param {Record<string, string>} found @returns {Connection} */
function ofDevelopment({ developmentstorageproxyuri: uri = 'http://127.0.0.1' }) {
  const { accountname: account, accountkey: key } = DEVELOPMENT
  return { account, key, endpoint: `${uri.replace(/\/+$/, '')}:10000/${account}` }
}

/** @param {Record<string, string>} found @returns {string | undefined} undefined: the usual one */
function ofSuffix({ accountname, defaultendpointsprotocol: protocol = 'https', endpointsuffix: suffix }) {
  if (accountname === undefined || (suffix === undefined && protocol === 'https')) return undefined
  return `${protocol}://${accountname}.blob.${suffix ?? 'core.windows.net'}`
}

module.exports = { readConnectionString }
