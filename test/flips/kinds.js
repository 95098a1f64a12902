'use strict'

/** The kinds of flipped bytes, and the expected outcomes. */

const KiB = 1024
const MiB = 1024 ** 2

/** The sizes of the parts; the last one is smaller, as usual. @type {Record<Kind['route'], number[]>} */
const SIZES = { multipart: [5 * MiB, 64 * KiB], put: [64 * KiB] }

/**
 * @typedef {object} Kind
 * @property {string} what a row of the table
 * @property {'multipart' | 'put'} route
 * @property {'write' | 'read' | 'stored'} flip in the bytes sent to the destination, in those that the source sends, or in
 *   those that the destination stores
 * @property {'once' | 'always'} when
 * @property {'nothing' | 'full' | 'composite' | 'etag'} keeps the checksum that the source stores
 * @property {import('../../sandbox/store/types').StoreOptions} [source]
 * @property {import('../../sandbox/store/types').StoreOptions} [destination]
 * @property {string} [mode] of the sandbox's store, whose options they are: it may refuse the copy before anything is written
 * @property {'auto' | 'full' | 'none'} [verify]
 * @property {boolean} [unnoticed] whether nothing can detect it; such a row shows that the bytes are really flipped
 */

const OLD = { checksums: false }
/** A store whose ETags look like MD5s, and that reports that they are none. */
const ENCRYPTING = { md5Etags: false, plainEtags: true, encryption: 'aws:kms' }

/** @type {Kind[]} */
const KINDS = [
  write('a part on its way to a store with checksums', 'multipart'),
  write('an object on its way to a store with checksums', 'put'),
  write('a part on its way to a store without', 'multipart', { destination: OLD }),
  write('an object on its way to a store without', 'put', { destination: OLD }),
  write('every part on its way, each time', 'multipart', { when: 'always' }),
  write('a part as it is stored, --verify full', 'multipart', { flip: 'stored', verify: 'full' }),
  write('an object as it is stored, --verify full', 'put', { flip: 'stored', verify: 'full' }),
  read('a part of a source with a full CRC-32', 'multipart', 'full'),
  read('an object with a full CRC-32', 'put', 'full'),
  read('a part of a source with a composite CRC-32', 'multipart', 'composite'),
  read('a part of a source with an MD5 ETag of equal parts', 'multipart', 'etag'),
  read('the same, to a store whose ETags are no MD5s', 'multipart', 'etag', { destination: { md5Etags: false } }),
  read('the same, to a store that encrypts', 'multipart', 'etag', { destination: ENCRYPTING }),
  read('an object with an MD5 ETag', 'put', 'etag'),
  read('a part of a source that keeps nothing, --verify full', 'multipart', 'nothing', { verify: 'full' }),
  read('an object that keeps nothing, --verify full', 'put', 'nothing', { verify: 'full' }),
  read('every answer of a source with a composite CRC-32', 'multipart', 'composite', { when: 'always' }),
  read('every answer of a source with an MD5 ETag', 'multipart', 'etag', { when: 'always' }),
  read('every answer of an object with an MD5 ETag', 'put', 'etag', { when: 'always' }),
  read('every answer of a source that keeps nothing, --verify full', 'multipart', 'nothing', {
    when: 'always',
    verify: 'full',
  }),
  write('a part on its way, --verify none', 'multipart', { verify: 'none', unnoticed: true }),
  read('a part of a source that keeps nothing, --verify auto', 'multipart', 'nothing', { unnoticed: true }),
  write('a part as it is stored, --verify auto', 'multipart', { flip: 'stored', unnoticed: true }),
]

/** @param {string} what @param {Kind['route']} route @param {Partial<Kind>} [more] @returns {Kind} */
function write(what, route, more) {
  return { what, route, flip: 'write', when: 'once', keeps: 'nothing', ...more }
}

/** @param {string} what @param {Kind['route']} route @param {Kind['keeps']} keeps @param {Partial<Kind>} [more] @returns {Kind} */
function read(what, route, keeps, more) {
  return { what, route, flip: 'read', when: 'once', keeps, ...more }
}

module.exports = { KINDS, SIZES, ENCRYPTING }
