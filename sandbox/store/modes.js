'use strict'

/**
 * The known kinds of stores, as options of this one. `npm run test:slow` copies between them. A new quirk of the store
 * gets a row here. Rows can be combined if they set different options.
 *
 * @typedef {object} Mode
 * @property {string} name
 * @property {'source' | 'destination' | 'both'} side on which it makes a difference
 * @property {import('./types').StoreOptions} options
 * @property {boolean} [mayFail] a copy from or to it may correctly fail without any other fault
 */

/** A store that sends no Server header, so that a client cannot know what it checks. */
const UNNAMED = { serverName: '' }
const ODD = { serverName: 'Oddity/1.0' }

/** @type {Mode[]} */
const MODES = [
  { name: 'plain', side: 'both', options: {} },
  { name: 'unnamed', side: 'both', options: { ...UNNAMED } },

  // --- what ETags and checksums say
  { name: 'no-checksums', side: 'both', options: { checksums: false, ...UNNAMED } },
  { name: 'opaque-etags', side: 'both', options: { md5Etags: false, ...UNNAMED } },
  { name: 'nothing-to-compare', side: 'both', options: { checksums: false, md5Etags: false, ...UNNAMED } },
  { name: 'unchecked', side: 'both', options: { checksumCheck: false, ...ODD } },
  { name: 'unchecked-opaque', side: 'both', options: { checksumCheck: false, md5Etags: false, ...UNNAMED } },
  {
    name: 'unchecked-plain',
    side: 'both',
    options: { checksumCheck: false, checksumEcho: 'none', md5Etags: false, plainEtags: true, ...UNNAMED },
  },
  // SeaweedFS.
  { name: 'invalid-digest', side: 'destination', options: { digestCode: 'InvalidDigest', ...UNNAMED } },
  { name: 'checked-at-completion', side: 'destination', options: { checksumCheck: 'completion', ...ODD } },
  { name: 'part-checksums', side: 'destination', options: { requirePartChecksums: true } },
  { name: 'crc64-by-default', side: 'both', options: { defaultChecksum: 'CRC64NVME' } },
  { name: 'kms', side: 'both', options: { encryption: 'aws:kms', md5Etags: false } },

  // --- what is stored of a body
  {
    name: 'framing-kept',
    side: 'destination',
    mayFail: true,
    options: { framing: 'kept', checksumCheck: false, checksumEcho: 'none', ...ODD },
  },

  // --- writes
  // radosgw.
  {
    name: 'quoted-if-match',
    side: 'destination',
    options: { ifMatch: 'quotes', serverName: 'Ceph Object Gateway (squid)' },
  },
  { name: 'no-conditions', side: 'destination', options: { conditions: false, ...UNNAMED } },
  { name: 'upload-etag-of-bytes', side: 'destination', options: { uploadEtag: 'of-bytes', ...UNNAMED } },
  { name: 'forgets-completions', side: 'destination', options: { rememberCompletions: false, ...UNNAMED } },
  // S3Mock.
  { name: 'abort-deletes', side: 'destination', mayFail: true, options: { abortDeletes: true, ...UNNAMED } },

  // --- reads
  { name: 'part-heads-ignored', side: 'source', options: { partNumberHead: 'ignored', ...UNNAMED } },
  {
    name: 'keeps-no-puts',
    side: 'destination',
    mayFail: true,
    options: { keepsPuts: false, ...UNNAMED },
  },
  { name: 'head-wrong-size', side: 'destination', mayFail: true, options: { headAfterPut: 'wrong-size', ...UNNAMED } },

  // --- names, lists and clocks
  // SeaweedFS.
  {
    name: 'backslash-is-slash',
    side: 'destination',
    mayFail: true,
    options: { foldNames: 'backslash', serverName: 'SeaweedFS 3.97' },
  },
  { name: 'lists-without-etags', side: 'both', options: { listEtags: false, ...UNNAMED } },
  { name: 'no-etags', side: 'source', options: { etags: false, ...UNNAMED } },
  { name: 'keys-replaced', side: 'both', mayFail: true, options: { listKeys: 'replaced', ...UNNAMED } },
  { name: 'short-pages', side: 'both', options: { pageSize: 3, ...UNNAMED } },
  { name: 'lists-overcounted', side: 'both', mayFail: true, options: { lists: 'overcounted', ...UNNAMED } },
  { name: 'lists-foreign-name', side: 'both', mayFail: true, options: { lists: 'foreign-name', ...UNNAMED } },
  { name: 'lists-no-start', side: 'both', mayFail: true, options: { lists: 'no-start', ...UNNAMED } },
  { name: 'lists-no-truncated', side: 'both', mayFail: true, options: { lists: 'no-truncated', ...UNNAMED } },
  { name: 'deletions-page', side: 'destination', mayFail: true, options: { deletions: 'page', ...ODD } },
  { name: 'deletions-quiet', side: 'destination', mayFail: true, options: { deletions: 'quiet', ...ODD } },
  { name: 'clock-ahead', side: 'both', options: { clockSkewMs: 5 * 60_000, ...UNNAMED } },

  // --- attributes
  { name: 'no-tagging', side: 'both', options: { tagging: 'ignored', ...ODD } },
  // S3Mock.
  { name: 'empty-tagging', side: 'source', options: { tagging: 'empty', ...UNNAMED } },
  { name: 'chunked-encoding-kept', side: 'destination', options: { contentEncoding: 'kept-aws-chunked', ...ODD } },
]

module.exports = { MODES }
