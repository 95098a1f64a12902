'use strict'

const { randomBytes } = require('node:crypto')

const MIB = 1024 * 1024
/** Of a part, and of what one request writes or copies. */
const MAX_PART_BYTES = 5 * 1024 * MIB

/**
 * The options with every default filled in; see settings.d.ts for what each means.
 *
 * @param {import('./types').StoreOptions} options
 * @param {string} dir
 * @returns {import('./types').Settings}
 * @throws {TypeError} for an option that doesn't exist: a misspelled one would be ignored
 */
function withDefaults(options, dir) {
  const { buckets, faults, synthetic, tls, dir: _, ...given } = options
  const settings = {
    host: '127.0.0.1',
    port: 0,
    accounts: [randomAccount(given.mode)],
    region: 'us-east-1',
    checksums: true,
    trailerStatus: /** @type {const} */ (501),
    conditions: true,
    md5Etags: true,
    plainEtags: false,
    lateParts: false,
    encryption: '',
    minPartBytes: 5 * MIB,
    pageSize: 1000,
    clockSkewMs: 0,
    requirePartChecksums: false,
    rememberCompletions: true,
    seed: 1,
    serverName: given.mode === 'google' ? 'UploadServer' : 'xfer-sandbox',
    framing: /** @type {const} */ ('removed'),
    checksumCheck: true,
    checksumEcho: /** @type {const} */ ('sent'),
    defaultChecksum: /** @type {const} */ (''),
    mode: /** @type {const} */ ('amazon'),
    completionHash: true,
    hmacKeys: true,
    partNumberHead: /** @type {const} */ ('answered'),
    keepsPuts: true,
    headAfterPut: /** @type {const} */ ('right'),
    foldNames: /** @type {const} */ ('none'),
    uploadEtag: /** @type {const} */ ('of-parts'),
    tagging: /** @type {const} */ ('kept'),
    contentEncoding: /** @type {const} */ ('cleaned'),
    droppedHeaders: [],
    listEtags: true,
    etags: true,
    times: true,
    lists: /** @type {const} */ ('right'),
    deletions: /** @type {const} */ ('answered'),
    repeats: /** @type {const} */ ('nothing'),
    listKeys: /** @type {const} */ ('asked'),
    storageClass: '',
    abortDeletes: false,
    digestCode: /** @type {const} */ ('BadDigest'),
    ifMatch: /** @type {const} */ ('value'),
  }
  const unknown = Object.keys(given).find(name => !(name in settings))
  if (unknown !== undefined) throw new TypeError(`a store has no option "${unknown}"`)
  if (given.accounts) given.accounts = [...given.accounts]
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { ...settings, ...chosen, dir }
}

/** @param {import('./types').StoreOptions['mode']} mode @returns {import('./types').Account} of the shape that AWS's or Google's have */
function randomAccount(mode) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const [prefix, length] = mode === 'google' ? ['GOOG1E', 55] : ['AKIA', 16]
  const accessKeyId = prefix + Array.from(randomBytes(length), byte => letters[byte % 32]).join('')
  return { accessKeyId, secretAccessKey: randomBytes(30).toString('base64') }
}

module.exports = { withDefaults, MAX_PART_BYTES }
