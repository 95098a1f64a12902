'use strict'

/**
 * Evidence that a store has what it was sent. Evidence is what the store itself computed from the bytes that it
 * received or stored: a checksum that it is known to check, or that it computes and answers, an MD5 ETag equal to ours, a
 * read-back. A checksum that the store only repeats is no evidence. Nor is a size: it can only contradict. Pure; see
 * docs/integrity.md.
 */

const { md5EtagOf, sameEtag } = require('./etag')
const { fullCrc32 } = require('./sums')

/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {import('../types').AnsweredSums} AnsweredSums */

/**
 * What was sent: one object, or one part.
 *
 * @typedef {object} Sent
 * @property {number} bytes
 * @property {number} [crc32] an unsigned 32-bit integer; absent if it was not computed
 * @property {string} [md5] lower-case hex; absent if it was not computed
 * @property {boolean} [checked] whether the CRC-32 was sent with the bytes, to a store that is known to refuse a wrong one
 *   for this kind of write
 * @property {readonly Sum[]} [believed] the checksums that the store computes itself, so that those in its answers are
 *   evidence; none when absent
 */

/**
 * What the store reports: in the answer to the write, in a HEAD, or in a list.
 *
 * @typedef {object} Reported
 * @property {number} [bytes]
 * @property {string} [etag] with or without quotes
 * @property {boolean} [encrypted] the store says that the object is encrypted, so its ETag is no MD5
 * @property {{ crc32: string, type: string }} [checksum] base64
 * @property {AnsweredSums} [answered] by the answer to the write
 */

/**
 * @typedef {object} Weighed
 * @property {'proved' | 'contradicted' | 'unproved'} verdict `contradicted` needs a read-back to settle it,
 *   and never counts as proved; `unproved` needs a read-back
 * @property {Proof[]} proofs the proofs that hold
 * @property {'size' | 'crc32' | 'md5'} [by] of `contradicted`: what differs
 * @property {string | number} [expected] of `contradicted`
 * @property {string | number} [found] of `contradicted`
 */

/**
 * Weighs one object, or one part, that was written by one request.
 *
 * @param {Sent} sent
 * @param {Reported} reported
 * @returns {Weighed}
 */
function weighWritten(sent, reported) {
  if (reported.bytes !== undefined && reported.bytes !== sent.bytes) {
    return { verdict: 'contradicted', proofs: [], by: 'size', expected: sent.bytes, found: reported.bytes }
  }
  const stored = fullCrc32(reported.checksum)
  if (stored !== undefined && sent.crc32 !== undefined && stored !== sent.crc32) {
    return { verdict: 'contradicted', proofs: [], by: 'crc32', expected: sent.crc32, found: stored }
  }
  const answered = weighAnswered(sent, reported.answered)
  if (answered?.verdict === 'contradicted') return answered
  if (sent.checked && stored !== undefined && stored === sent.crc32)
    return { verdict: 'proved', proofs: ['store-crc32'] }
  return answered ?? weighTag(sent, reported)
}

/** @type {Array<['crc32' | 'md5', Proof]>} */
const ANSWERED = [
  ['crc32', 'store-crc32'],
  ['md5', 'part-md5'],
]

/**
 * Weighs the checksums that the store computed itself, and told in the answer to the write.
 *
 * @param {Pick<Sent, 'crc32' | 'md5' | 'believed'>} sent
 * @param {AnsweredSums} [answered]
 * @returns {Weighed | undefined} undefined if there is nothing to compare
 */
function weighAnswered({ believed = [], ...sent }, answered = {}) {
  const compared = ANSWERED.filter(
    ([sum]) => believed.includes(sum) && sent[sum] !== undefined && answered[sum] !== undefined,
  )
  if (compared.length === 0) return undefined
  const [wrong] = compared.find(([sum]) => sent[sum] !== answered[sum]) ?? []
  if (wrong === undefined) return { verdict: 'proved', proofs: compared.map(([, proof]) => proof) }
  return { verdict: 'contradicted', proofs: [], by: wrong, expected: sent[wrong], found: answered[wrong] }
}

/** Weighs the ETag, which may be the MD5. @param {Sent} sent @param {Reported} reported @returns {Weighed} */
function weighTag(sent, reported) {
  const etag = md5EtagOf({ etag: reported.etag ?? '', encrypted: reported.encrypted })
  if (etag === undefined || etag.parts !== undefined || sent.md5 === undefined)
    return { verdict: 'unproved', proofs: [] }
  if (etag.md5 === sent.md5) return { verdict: 'proved', proofs: ['part-md5'] }
  return { verdict: 'contradicted', proofs: [], by: 'md5', expected: sent.md5, found: etag.md5 }
}

/**
 * Weighs the parts of an upload, each by the answer to its own write. A checksum that the store computed and answered
 * decides. Without one, if the ETag of any part is the MD5 of its bytes, the store's ETags are MD5s, and an ETag that differs
 * shows damage. If no ETag is, they may be something else and show nothing.
 *
 * @template {{ partNumber: number, bytes: number, crc32?: number, md5?: string, etag: string, answered?: AnsweredSums }} P
 * @param {P[]} parts with the checksums of what was sent, and what the store answered
 * @param {{ checked: boolean, encrypted?: boolean, believed?: readonly Sum[] }} how checked and believed: as in Sent, for parts
 * @returns {{ proved: P[], damaged: P[], unproved: P[] }} damaged: copy again before the upload is completed;
 *   unproved: read back after it
 */
function weighParts(parts, { checked, encrypted = false, believed = [] }) {
  if (checked) return { proved: parts, damaged: [], unproved: [] }
  const answered = parts.map(part => weighAnswered({ ...part, believed }, part.answered)?.verdict)
  const tagged = parts.map(part => weighTag(part, { etag: part.etag, encrypted }).verdict)
  const tagsAreMd5 = tagged.includes('proved')
  const byTag = tagged.map(verdict => (verdict === 'contradicted' && !tagsAreMd5 ? 'unproved' : verdict))
  const of = (/** @type {Weighed['verdict']} */ verdict) =>
    parts.filter((_, i) => (answered[i] ?? byTag[i]) === verdict)
  return { proved: of('proved'), damaged: of('contradicted'), unproved: of('unproved') }
}

/**
 * Weighs a copy that the store made by itself, from a source pinned by its ETag. xfer saw no byte of it: a complete answer
 * and the size count as the proof `store`; equal checksums or ETags of both objects prove more.
 *
 * @param {Reported & { bytes: number, etag: string }} source
 * @param {Reported & { etag: string }} copy as the answer, and a HEAD if there was one, reported it
 * @param {boolean} trusted whether the answer alone counts if the size is unknown
 * @returns {Weighed}
 */
function weighCopied(source, copy, trusted) {
  if (copy.bytes !== undefined && copy.bytes !== source.bytes) {
    return { verdict: 'contradicted', proofs: [], by: 'size', expected: source.bytes, found: copy.bytes }
  }
  const [expected, found] = [fullCrc32(source.checksum), fullCrc32(copy.checksum)]
  if (expected !== undefined && found !== undefined && expected !== found) {
    return { verdict: 'contradicted', proofs: [], by: 'crc32', expected, found }
  }
  const proofs = equalOf(source, copy)
  if (proofs.length > 0) return { verdict: 'proved', proofs }
  return copy.bytes !== undefined || trusted
    ? { verdict: 'proved', proofs: ['store'] }
    : { verdict: 'unproved', proofs: [] }
}

/**
 * The proofs of a copy that the store made by itself in parts.
 *
 * @param {object} copied
 * @param {Reported & { etag: string }} copied.source
 * @param {string} copied.etag
 * @param {string} [copied.storedCrc32] base64, of the whole object
 * @param {Proof[]} [copied.proofs] the proofs by reading
 * @returns {Proof[]} at least one; `store` (the store's answer and the size) if there is no better one
 */
function proofsOfCopied({ source, etag, storedCrc32, proofs: found = [] }) {
  const checksum = storedCrc32 === undefined ? undefined : { crc32: storedCrc32, type: 'FULL_OBJECT' }
  const proofs = [...equalOf(source, { etag, checksum }), ...found]
  return proofs.length > 0 ? proofs : ['store']
}

/** The proofs by equal checksums and ETags of two objects. @param {Reported & { etag: string }} source @param {Reported & { etag: string }} copy */
function equalOf(source, copy) {
  /** @type {Proof[]} */
  const proofs = []
  const crc32 = fullCrc32(source.checksum)
  if (crc32 !== undefined && fullCrc32(copy.checksum) === crc32) proofs.push('stored-crc32')
  if (md5EtagOf(source) && sameEtag(source.etag, copy.etag)) proofs.push('source-etag')
  return proofs
}

module.exports = { proofsOfCopied, weighAnswered, weighCopied, weighParts, weighWritten }
