'use strict'

/** Checks a copy, and collects the proofs that it is right. docs/integrity.md says what each proof is worth. */

const { XferError } = require('../errors')
const { md5EtagOf, plainMd5Of, sameEtag, unquoted } = require('./etag')
const { weighSums } = require('./evidence')
const { md5OfMd5s } = require('./source')
const { compareSums, CRCS, differenceOf, hasCrc, sumsOfParts } = require('./sums')

/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Proof} Proof */

/** Proofs about what was read, which say nothing about what is stored. @type {Proof[]} */
const ABOUT_READ = [...CRCS.map(sum => /** @type {const} */ (`source-${sum}`)), 'source-md5', 'source-read']
/** @type {Proof[]} */
const ABOUT_SOURCE = [...ABOUT_READ, 'source-etag', ...CRCS.map(sum => /** @type {const} */ (`stored-${sum}`)), 'store']

/**
 * Checks before anything becomes visible that every part is there once, in order, and that together they are the source's
 * bytes.
 *
 * @param {TaskSuccess[]} outcomes
 * @param {import('../types').Part[]} parts
 * @param {ObjectHead} source
 * @returns {import('../types').Sums} the object's checksums, as far as those of all parts were computed
 * @throws {XferError} INTEGRITY
 */
function checkParts(outcomes, parts, source) {
  const bytes = outcomes.reduce((sum, outcome) => sum + outcome.bytes, 0)
  const inOrder =
    outcomes.length === parts.length && outcomes.every(({ partNumber }, i) => partNumber === parts[i].partNumber)
  if (!inOrder || bytes !== source.bytes) {
    const reason = `${outcomes.length} of ${parts.length} parts with ${bytes} of ${source.bytes} bytes were copied`
    throw new XferError('INTEGRITY', { reason, expected: source.bytes, found: bytes })
  }
  const sums = sumsOfParts(outcomes)
  const difference = differenceOf(source.sums, sums)
  if (!difference) return sums
  const { words, one: expected, other: found } = difference
  const reason = `the source keeps the ${words} ${expected}, and what was read has ${found}`
  throw new XferError('INTEGRITY', { reason, expected, found })
}

/**
 * How an object that the destination reports differs from what was sent.
 *
 * @param {{ bytes?: number, sums?: import('../types').Sums }} stored
 * @param {{ bytes: number, sums: import('../types').Sums }} sent
 * @returns {string | undefined} a clause; undefined when nothing differs
 */
function contradictionOf({ bytes, sums }, sent) {
  if (bytes !== undefined && bytes !== sent.bytes) {
    return `the destination keeps ${bytes} bytes, and ${sent.bytes} were sent`
  }
  const { words, one, other } = differenceOf(sent.sums, sums) ?? {}
  return words && `the destination keeps the ${words} ${other}, and what was sent has ${one}`
}

/**
 * The proofs of a complete object. Only values that were compared count.
 *
 * @param {object} copy
 * @param {ObjectHead} copy.source
 * @param {TaskSuccess[]} copy.outcomes
 * @param {import('../types').Sums} copy.sums those of the whole object that were computed
 * @param {string} copy.etag
 * @param {import('../types').Sums} [copy.storedSums] those that the destination is known to check or to compute
 * @param {true} [copy.checked] the destination is known to check the CRC-32s of parts, and took them all
 * @param {readonly import('../types').Sum[]} [copy.believed] the checksums that the destination computes itself, and answers
 * @param {boolean} [copy.onDisk] the destination is a file system of this machine, which has confirmed all writes
 * @param {Proof[]} [copy.proofs] the proofs that are known already
 * @returns {Proof[]} at least one about what is stored; `size` if there is no better one
 */
function proofsOf({ source, outcomes, sums, etag, storedSums, checked, believed, onDisk, proofs: found = [] }) {
  /** @type {Proof[]} */
  const proofs = []
  const [back, byStore] = [found.includes('read-back'), found.includes('store')]
  const stored = crcsIn(sums, storedSums)
  if (checked && sums.crc32 !== undefined && !stored.includes('crc32')) stored.unshift('crc32')
  if (stored.length > 0) proofs.push(...stored.map(sum => /** @type {const} */ (`store-${sum}`)))
  else if (onDisk && hasCrc(sums)) proofs.push('written')
  else {
    const ofParts = outcomes.map(part => proofsOfPart(part, believed))
    // Parts without a proof were read back, or copied by the store.
    if (back || byStore || ofParts.every(some => some.length > 0)) proofs.push(...new Set(ofParts.flat()))
  }
  if (back) proofs.push('read-back')
  if (byStore) proofs.push('store')
  const same = crcsIn(sums, source.sums)
  for (const sum of CRCS) if (same.includes(sum) || found.includes(`source-${sum}`)) proofs.push(`source-${sum}`)
  if (md5EtagOf({ etag }) && sameEtag(etag, source.etag)) proofs.push('source-etag')
  else if (found.includes('source-md5')) proofs.push('source-md5')
  if (found.includes('source-read')) proofs.push('source-read')
  // The proofs may all be about what was read; then only the size is known of what is stored.
  const aboutStored = proofs.some(proof => !ABOUT_READ.includes(proof))
  return aboutStored ? proofs : [...proofs, 'size']
}

/** The CRCs that are equal. @param {import('../types').Sums} one @param {import('../types').Sums} [other] */
function crcsIn(one, other) {
  return /** @type {import('./sums').Crc[]} */ (compareSums(one, other).equal)
}

/**
 * What the answer to the write of a part proves.
 *
 * @param {TaskSuccess} part
 * @param {readonly import('../types').Sum[]} [believed]
 * @returns {Proof[]}
 */
function proofsOfPart(part, believed) {
  const { sums, etag } = part
  const proofs = weighSums(sums, part.answered, believed ?? [])?.proofs
  return proofs ?? (sums.md5 !== undefined && plainMd5Of(etag) === sums.md5 ? ['part-md5'] : [])
}

/**
 * The ETag that stores give a multipart upload of these parts, if their own ETags are MD5s.
 *
 * @param {Array<{ etag: string }>} parts in order
 * @returns {string} with quotes
 */
function multipartEtag(parts) {
  return `"${md5OfMd5s(parts.map(({ etag }) => unquoted(etag)))}-${parts.length}"`
}

/**
 * Whether a proved copy was compared with no checksum of its source, because the source has none. Damage before the read
 * would then not be noticed.
 *
 * @param {Proof[]} proofs
 * @param {number} bytes of the object
 */
function isUncompared(proofs, bytes) {
  const proved = proofs.some(proof => proof !== 'size')
  return bytes > 0 && proved && !proofs.some(proof => ABOUT_SOURCE.includes(proof))
}

module.exports = { checkParts, contradictionOf, isUncompared, multipartEtag, proofsOf }
