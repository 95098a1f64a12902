'use strict'

/** Checks a copy, and collects the proofs that it is right. docs/integrity.md says what each proof is worth. */

const { createHash } = require('node:crypto')
const { XferError } = require('../errors')
const { crc32OfParts, crc32ToBase64 } = require('./crc32')
const { md5EtagOf, plainMd5Of, sameEtag, unquoted } = require('./etag')
const { weighAnswered } = require('./evidence')
const { fullCrc32 } = require('./sums')

/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Proof} Proof */

/** @type {Proof[]} */
const ABOUT_SOURCE = ['source-crc32', 'source-md5', 'source-read', 'source-etag', 'stored-crc32', 'store']
/** Proofs about what was read, which say nothing about what is stored. @type {Proof[]} */
const ABOUT_READ = ['source-crc32', 'source-md5', 'source-read']

/**
 * Checks before anything becomes visible that every part is there once, in order, and that together they are the source's
 * bytes.
 *
 * @param {TaskSuccess[]} outcomes
 * @param {import('../types').Part[]} parts
 * @param {ObjectHead} source
 * @returns {number | undefined} the object's CRC-32; undefined if that of a part was not computed
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
  const crc32 = crc32OfParts(outcomes)
  const stored = fullCrc32(source.checksum)
  if (stored !== undefined && crc32 !== undefined && stored !== crc32) {
    const reason = `the source keeps the CRC-32 ${source.checksum?.crc32}, and what was read has ${crc32ToBase64(crc32)}`
    throw new XferError('INTEGRITY', { reason, expected: source.checksum?.crc32, found: crc32ToBase64(crc32) })
  }
  return crc32
}

/**
 * Checks a complete object: what the destination reports of it must be what was sent.
 *
 * @param {{ bytes?: number, checksum?: { crc32: string, type: string } }} stored
 * @param {{ bytes: number, crc32?: number }} sent crc32: absent if it was not computed
 * @throws {XferError} INTEGRITY
 */
function checkStored({ bytes, checksum }, sent) {
  if (bytes !== undefined && bytes !== sent.bytes) {
    const reason = `the destination keeps ${bytes} bytes, and ${sent.bytes} were sent`
    throw new XferError('INTEGRITY', { reason, expected: sent.bytes, found: bytes })
  }
  if (sent.crc32 === undefined) return
  const crc32 = crc32ToBase64(sent.crc32)
  if (checksum?.type === 'FULL_OBJECT' && checksum.crc32 !== crc32) {
    const reason = `the destination keeps the CRC-32 ${checksum.crc32}, and what was sent has ${crc32}`
    throw new XferError('INTEGRITY', { reason, expected: crc32, found: checksum.crc32 })
  }
}

/**
 * The proofs of a complete object. Only values that were compared count.
 *
 * @param {object} copy
 * @param {ObjectHead} copy.source
 * @param {TaskSuccess[]} copy.outcomes
 * @param {number} [copy.crc32] absent if it was not computed
 * @param {string} copy.etag
 * @param {string} [copy.storedCrc32]
 * @param {true} [copy.checked] the destination is known to check the CRC-32s of parts, and took them all
 * @param {readonly import('../types').Sum[]} [copy.believed] the checksums that the destination computes itself, and answers
 * @param {Proof[]} [copy.proofs] the proofs that are known already
 * @returns {Proof[]} at least one about what is stored; `size` if there is no better one
 */
function proofsOf({ source, outcomes, crc32, etag, storedCrc32, checked, believed, proofs: found = [] }) {
  /** @type {Proof[]} */
  const proofs = []
  const [back, byStore] = [found.includes('read-back'), found.includes('store')]
  const sent = crc32 === undefined ? undefined : crc32ToBase64(crc32)
  if (sent !== undefined && (storedCrc32 === sent || checked)) proofs.push('store-crc32')
  else {
    const ofParts = outcomes.map(part => proofsOfPart(part, believed))
    // Parts without a proof were read back, or copied by the store.
    if (back || byStore || ofParts.every(some => some.length > 0)) proofs.push(...new Set(ofParts.flat()))
  }
  if (back) proofs.push('read-back')
  if (byStore) proofs.push('store')
  const sameCrc32 = source.checksum?.type === 'FULL_OBJECT' && source.checksum.crc32 === sent
  if (sameCrc32 || found.includes('source-crc32')) proofs.push('source-crc32')
  if (md5EtagOf({ etag }) && sameEtag(etag, source.etag)) proofs.push('source-etag')
  else if (found.includes('source-md5')) proofs.push('source-md5')
  if (found.includes('source-read')) proofs.push('source-read')
  // The proofs may all be about what was read; then only the size is known of what is stored.
  const aboutStored = proofs.some(proof => !ABOUT_READ.includes(proof))
  return aboutStored ? proofs : [...proofs, 'size']
}

/**
 * What the answer to the write of a part proves.
 *
 * @param {TaskSuccess} part
 * @param {readonly import('../types').Sum[]} [believed]
 * @returns {Proof[]}
 */
function proofsOfPart(part, believed) {
  const { md5, etag } = part
  const proofs = weighAnswered({ ...part, believed }, part.answered)?.proofs
  return proofs ?? (md5 !== undefined && plainMd5Of(etag) === md5 ? ['part-md5'] : [])
}

/**
 * The ETag that stores give a multipart upload of these parts, if their own ETags are MD5s.
 *
 * @param {Array<{ etag: string }>} parts in order
 * @returns {string} with quotes
 */
function multipartEtag(parts) {
  const hash = createHash('md5')
  for (const { etag } of parts) hash.update(Buffer.from(unquoted(etag), 'hex'))
  return `"${hash.digest('hex')}-${parts.length}"`
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

module.exports = { checkParts, checkStored, isUncompared, multipartEtag, proofsOf }
