'use strict'

/**
 * Evidence that what a store keeps is what it was sent. Evidence is what the store computed itself from the bytes that it
 * received or keeps: a checksum that it is known to check, an MD5 ETag equal to ours, a read-back. An echo of what was
 * sent is none, and a size is none: a size can only contradict. Pure; docs/integrity.md explains.
 */

const { md5EtagOf, sameEtag } = require('./etag')
const { fullCrc32 } = require('./sums')

/** @typedef {import('../types').Proof} Proof */

/**
 * What was sent: one object, or one part.
 *
 * @typedef {object} Sent
 * @property {number} bytes
 * @property {number} [crc32] an unsigned 32-bit integer; absent where it was not computed
 * @property {string} [md5] lower-case hex; absent where it was not computed
 * @property {boolean} [checked] whether the CRC-32 was sent with the bytes, to a store that is known to refuse a wrong one
 *   for this kind of write
 */

/**
 * What the store said of it: in the answer to the write, in a HEAD, or in a list.
 *
 * @typedef {object} Told
 * @property {number} [bytes]
 * @property {string} [etag] with or without quotes
 * @property {boolean} [encrypted] its ETag is no MD5, by the store's own word
 * @property {{ crc32: string, type: string }} [checksum] base64
 */

/**
 * @typedef {object} Weighed
 * @property {'proved' | 'contradicted' | 'unproved'} verdict `contradicted` is settled by reading back, and never conceded;
 *   `unproved` needs a read-back
 * @property {Proof[]} proofs what may be claimed
 * @property {'size' | 'crc32' | 'md5'} [by] of `contradicted`: what differs
 * @property {string | number} [expected] of `contradicted`
 * @property {string | number} [found] of `contradicted`
 */

/**
 * One object, or one part, that was written by one request.
 *
 * @param {Sent} sent
 * @param {Told} told
 * @returns {Weighed}
 */
function weighWritten(sent, told) {
  if (told.bytes !== undefined && told.bytes !== sent.bytes) {
    return { verdict: 'contradicted', proofs: [], by: 'size', expected: sent.bytes, found: told.bytes }
  }
  const stored = fullCrc32(told.checksum)
  if (stored !== undefined && sent.crc32 !== undefined && stored !== sent.crc32) {
    return { verdict: 'contradicted', proofs: [], by: 'crc32', expected: sent.crc32, found: stored }
  }
  if (sent.checked && stored !== undefined && stored === sent.crc32)
    return { verdict: 'proved', proofs: ['store-crc32'] }
  const etag = md5EtagOf({ etag: told.etag ?? '', encrypted: told.encrypted })
  if (etag === undefined || etag.parts !== undefined || sent.md5 === undefined)
    return { verdict: 'unproved', proofs: [] }
  if (etag.md5 === sent.md5) return { verdict: 'proved', proofs: ['part-md5'] }
  return { verdict: 'contradicted', proofs: [], by: 'md5', expected: sent.md5, found: etag.md5 }
}

/**
 * The parts of an upload, each by the answer to its own write. Where the ETag of one part is the MD5 of its bytes, the
 * store's ETags are MD5s, and one that differs shows damage. Where none is, they may be something else: nothing is known.
 *
 * @template {{ partNumber: number, bytes: number, crc32?: number, md5?: string, etag: string }} P
 * @param {P[]} parts with what was sent of each, and the ETag that the store answered
 * @param {{ checked: boolean, encrypted?: boolean }} how checked: as of Sent, for parts
 * @returns {{ proved: P[], damaged: P[], unproved: P[] }} damaged: to be copied again before the upload is completed;
 *   unproved: to be read back once it is
 */
function weighParts(parts, { checked, encrypted = false }) {
  if (checked) return { proved: parts, damaged: [], unproved: [] }
  const verdicts = parts.map(part => weighWritten(part, { etag: part.etag, encrypted }).verdict)
  const of = (/** @type {Weighed['verdict']} */ verdict) => parts.filter((_, i) => verdicts[i] === verdict)
  const [proved, contradicted, unproved] = [of('proved'), of('contradicted'), of('unproved')]
  if (proved.length > 0) return { proved, damaged: contradicted, unproved }
  return { proved, damaged: [], unproved: parts.filter((_, i) => verdicts[i] !== 'proved') }
}

/**
 * A copy that its store made by itself, from a source that it was pinned to. No byte was seen: its complete answer and the
 * size count (proof `store`), and what it keeps of both objects says more.
 *
 * @param {Told & { bytes: number, etag: string }} source
 * @param {Told & { etag: string }} copy as the answer, and a HEAD where there was one, told it
 * @param {boolean} trusted its answer alone counts, where the size could not be asked for
 * @returns {Weighed}
 */
function weighCopied(source, copy, trusted) {
  if (copy.bytes !== undefined && copy.bytes !== source.bytes) {
    return { verdict: 'contradicted', proofs: [], by: 'size', expected: source.bytes, found: copy.bytes }
  }
  const [kept, stored] = [fullCrc32(source.checksum), fullCrc32(copy.checksum)]
  if (kept !== undefined && stored !== undefined && kept !== stored) {
    return { verdict: 'contradicted', proofs: [], by: 'crc32', expected: kept, found: stored }
  }
  const proofs = equalOf(source, copy)
  if (proofs.length > 0) return { verdict: 'proved', proofs }
  return copy.bytes !== undefined || trusted
    ? { verdict: 'proved', proofs: ['store'] }
    : { verdict: 'unproved', proofs: [] }
}

/**
 * What may be claimed of a copy that its store made in parts.
 *
 * @param {object} copied
 * @param {Told & { etag: string }} copied.source
 * @param {string} copied.etag
 * @param {string} [copied.storedCrc32] base64, of the whole object
 * @param {Proof[]} [copied.proofs] what was found out by reading
 * @returns {Proof[]} at least one; `store`, the store's word and the size, where there is no better
 */
function proofsOfCopied({ source, etag, storedCrc32, proofs: found = [] }) {
  const checksum = storedCrc32 === undefined ? undefined : { crc32: storedCrc32, type: 'FULL_OBJECT' }
  const proofs = [...equalOf(source, { etag, checksum }), ...found]
  return proofs.length > 0 ? proofs : ['store']
}

/** What a store keeps of two objects, and is equal. @param {Told & { etag: string }} source @param {Told & { etag: string }} copy */
function equalOf(source, copy) {
  /** @type {Proof[]} */
  const proofs = []
  const kept = fullCrc32(source.checksum)
  if (kept !== undefined && fullCrc32(copy.checksum) === kept) proofs.push('stored-crc32')
  if (md5EtagOf(source) && sameEtag(source.etag, copy.etag)) proofs.push('source-etag')
  return proofs
}

module.exports = { proofsOfCopied, weighCopied, weighParts, weighWritten }
