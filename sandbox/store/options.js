'use strict'

const { randomBytes } = require('node:crypto')
const { withDefaults } = require('../common/options')

const DEFAULTS = {
  ...{ port: 0, region: 'us-east-1', seed: 1, clockSkewMs: 0, pageSize: 1000 },
  ...{ minPartBytes: 5 * 1024 * 1024, mode: 'amazon', encryption: '', storageClass: '' },

  // --- checksums and ETags
  ...{ checksums: true, trailerStatus: 501, checksumCheck: true, checksumEcho: 'sent', defaultChecksum: '' },
  ...{ requirePartChecksums: false, digestCode: 'BadDigest', md5Etags: true, plainEtags: false },
  ...{ uploadEtag: 'of-parts', etags: true, times: true, completionHash: true },

  // --- writes and deletions
  ...{ conditions: true, ifMatch: 'value', framing: 'removed', keepsPuts: true, headAfterPut: 'right' },
  ...{ rememberCompletions: true, abortDeletes: false, deletions: 'answered' },

  // --- attributes, names and lists
  ...{ tagging: 'kept', contentEncoding: 'cleaned', droppedHeaders: [], foldNames: 'none', partNumberHead: 'answered' },
  ...{ lists: 'right', listEtags: true, listKeys: 'asked', repeats: 'nothing' },
}

/**
 * The options with every default filled in; see settings.d.ts for what each means.
 *
 * @param {import('./types').StoreOptions} options
 * @returns {import('./types').Settings}
 * @throws {TypeError} for an option that doesn't exist
 */
function settingsOf({ buckets, faults, synthetic, tls, dir, ...given }) {
  const isGoogle = given.mode === 'google'
  const defaults = {
    ...DEFAULTS,
    accounts: [randomAccount(isGoogle)],
    serverName: isGoogle ? 'UploadServer' : 'xfer-sandbox',
  }
  const settings = withDefaults('a store', defaults, given)
  return { ...settings, accounts: [...settings.accounts] }
}

/** @param {boolean} isGoogle @returns {import('./types').Account} of the shape that AWS's or Google's have */
function randomAccount(isGoogle) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const [prefix, length] = isGoogle ? ['GOOG1E', 55] : ['AKIA', 16]
  const accessKeyId = prefix + Array.from(randomBytes(length), byte => letters[byte % 32]).join('')
  return { accessKeyId, secretAccessKey: randomBytes(30).toString('base64') }
}

module.exports = { settingsOf }
