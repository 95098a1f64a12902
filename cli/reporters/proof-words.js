'use strict'

/** What the proofs of a copy mean, in words. docs/integrity.md explains them in full. */

/** @typedef {import('../../lib/types').Proof} Proof */

/** @type {Record<Proof, string>} */
const PROOFS = {
  'store-crc32': 'the destination recomputed and confirmed the CRC-32 of what was read',
  'stored-crc32': 'the store keeps the same CRC-32 of source and copy',
  'source-crc32': 'what was read equals the CRC-32 that the source keeps',
  'source-etag': "the destination's ETag equals the source's",
  'source-md5': "what was read gives the source's ETag, an MD5",
  'source-read': 'the source was read twice, both times alike',
  'part-md5': 'the destination confirmed the MD5 of every part',
  'read-back': 'the destination was read back, and has what was sent',
  store: 'the store itself copied exactly the object that was found, and the size is right',
  size: 'what is stored is known by its size alone',
}

/** The same for one of many objects, shorter. @type {Record<Proof, string>} */
const PROOF_OF_MANY = {
  'store-crc32': 'the destination confirmed the CRC-32 of what was read',
  'stored-crc32': 'the store keeps the same CRC-32 of both',
  'source-crc32': 'what was read equals the CRC-32 that the source keeps',
  'source-etag': 'both have the same ETag',
  'source-md5': "what was read gives the source's ETag, an MD5",
  'source-read': 'the source was read twice, both times alike',
  'part-md5': 'the destination confirmed the MD5',
  'read-back': 'the destination was read back',
  store: 'the store says that it copied them, and the sizes are right',
  size: 'known by their sizes alone',
}

/** For `size` without a CRC-32: the only reason is that no checksum was asked for. */
const UNASKED = 'what is stored is known by its size alone, because no checksum was asked for'

/** For `size` if the store copied the object itself, so that xfer read none of its bytes. */
const STORES_WORD =
  'the store says that it copied it, and the size is right; it keeps no checksum of both that could be compared'

/** @param {import('../../lib/types').Summary} done @returns {string} */
function proofLine({ proof, engine, crc32 }) {
  const bySize = engine === 'server' ? STORES_WORD : crc32 === undefined ? UNASKED : PROOFS.size
  return `Proof: ${proof.map(each => (each === 'size' ? bySize : PROOFS[each])).join('; ')}.`
}

/** @param {readonly string[]} proofs @returns {string} the outcome, for the last line */
function outcomeOf(proofs) {
  return proofs.some(proof => proof !== 'size') ? 'proved' : 'known by the size alone'
}

module.exports = { PROOF_OF_MANY, outcomeOf, proofLine }
