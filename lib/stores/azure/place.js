'use strict'

/**
 * Places in Azure Blob Storage: their syntax, how a blob is named in a URL, and which endpoints are of one account. Pure.
 */

const { isLoopback } = require('../../http')
const { brief, nameAdvice } = require('../common')

/** @typedef {import('./settings').AzurePlace} AzurePlace */

/** https://learn.microsoft.com/en-us/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata */
const MOST_KEY_CHARACTERS = 1024
const MOST_SEGMENTS = 254
const ACCOUNT = /^[a-z0-9]{3,24}$/
/** Three to 63 characters, with single hyphens inside; or a container that Azure itself makes. */
const CONTAINER = /^(?=.{3,63}$)(?:[a-z0-9]+(?:-[a-z0-9]+)*|\$(?:root|web|logs|blobchangefeed))$/
/** @type {import('../common/words').NameRule[]} */
const NAMES = [
  { breaks: /^.{0,2}$|^.{64}/, says: 'is not 3 to 63 characters long' },
  { breaks: /[A-Z]/, says: 'has upper case letters' },
  { breaks: /[^A-Za-z0-9-]/, says: 'has characters other than letters, digits and hyphens' },
  { breaks: /^-|-$|--/, says: 'begins or ends with a hyphen, or has two side by side' },
]
/** No name has them: what does may hold a secret. */
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
  if (/[?&]sig=/i.test(text)) throw bad('it has a SAS, which belongs into AZURE_STORAGE_SAS_TOKEN')
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

/** By the end of the host. https://learn.microsoft.com/en-us/azure/storage/common/storage-account-overview#storage-account-endpoints */
/** @type {Record<string, string | undefined>} */
const CLOUDS = {
  'core.windows.net': 'public',
  'storage.azure.net': 'public',
  'core.usgovcloudapi.net': 'usgov',
  'core.chinacloudapi.cn': 'china',
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
  /** Undefined: the host is none of Azure's own. */
  const cloud = CLOUDS[/^[a-z0-9-]+(?:\.z\d+|\.privatelink)?\.blob\.(.+)$/.exec(url.hostname)?.[1] ?? '']
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

module.exports = { accountOf, identify, keyFault, parse, parseAccount }
