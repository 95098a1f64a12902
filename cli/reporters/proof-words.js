'use strict'

/** What the proofs of a copy mean, in words. docs/integrity.md explains them in full. */

/** @typedef {import('../../lib/types').Proof} Proof */

/** The names of checksums. @type {Record<import('../../lib/types').Sum | 'md5', string>} */
const SUMS = { crc32: 'CRC-32', crc32c: 'CRC-32C', crc64nvme: 'CRC-64/NVME', md5: 'MD5' }

/**
 * The words of the proofs by each checksum.
 *
 * @template {'store' | 'stored' | 'source'} K
 * @template T
 * @param {K} kind
 * @param {(sum: string) => T} words
 * @returns {Record<`${K}-${keyof typeof SUMS}`, T>}
 */
function ofEach(kind, words) {
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(SUMS).map(([sum, name]) => [`${kind}-${sum}`, words(name)]))
  )
}

/** @type {Record<Proof, string>} */
const PROOFS = {
  ...ofEach('store', sum => `the destination recomputed and confirmed the ${sum} of what was read`),
  ...ofEach('stored', sum => `the store keeps the same ${sum} of source and copy`),
  ...ofEach('source', sum => `what was read equals the ${sum} that the source keeps`),
  'source-etag': "the destination's ETag equals the source's",
  'source-md5': 'what was read gives the MD5 that the source keeps',
  'source-read': 'the source was read twice, both times alike',
  'part-md5': 'the destination confirmed the MD5 of every part',
  'read-back': 'the destination was read back, and has what was sent',
  written: 'the file system took every byte whose checksum was computed, and put them on the disk',
  store: 'the store itself copied exactly the object that was found, and the size is right',
  size: 'what is stored is known by its size alone',
}

/** For `size` without a checksum: the only reason is that no checksum was asked for. */
const UNASKED = 'what is stored is known by its size alone, because no checksum was asked for'

/** For `size` if the store copied the object itself, so that xfer read none of its bytes. */
const STORES_WORD =
  'the store says that it copied it, and the size is right; it keeps no checksum of both that could be compared'

/** @param {import('../../lib/types').Summary} done @returns {string} */
function proofLine({ proof, engine, sums }) {
  const bySize = engine === 'server' ? STORES_WORD : sums === undefined ? UNASKED : PROOFS.size
  return `Proof: ${proof.map(each => (each === 'size' ? bySize : PROOFS[each])).join('; ')}.`
}

/** @param {readonly string[]} proofs @returns {string} the outcome, for the last line */
function outcomeOf(proofs) {
  return proofs.some(proof => proof !== 'size') ? 'proved' : 'known by the size alone'
}

module.exports = { PROOFS, SUMS, ofEach, outcomeOf, proofLine }
