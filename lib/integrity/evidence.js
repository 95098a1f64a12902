'use strict'

/**
 * What proves that a copy is right. Evidence is what the store itself computed from the bytes that it received or stored: a
 * checksum that it is known to check, or that it computes and answers, an MD5 ETag equal to ours, a read-back. A checksum that
 * the store only repeats is no evidence. Nor is a size: it can only contradict. Pure; see docs/integrity.md.
 */

const { XferError } = require('../errors')
const { CRCS, compareSums, differenceOf, hasCrc, sumsOfParts } = require('./sums')
const { md5EtagOf, md5OfMd5s, sameEtag, unquoted } = require('./sums')

/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {import('../types').Sums} Sums */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').ObjectHead} ObjectHead */

/**
 * What was sent: one object, or one part.
 *
 * @typedef {object} SentBytes
 * @property {number} bytes
 * @property {Sums} sums those that were computed
 * @property {readonly Sum[]} [kept] the checksums that the store keeps of the object, and is known to have compared with the
 *   bytes, or to have computed from them; none when absent
 * @property {readonly Sum[]} [believed] the checksums that the store computes itself, so that those in its answers are
 *   evidence; none when absent
 * @property {boolean} [written] the store is a file system of this machine, which has confirmed the write
 */

/**
 * What the store reports: in the answer to the write, in a HEAD, or in a list.
 *
 * @typedef {object} Reported
 * @property {number} [bytes]
 * @property {string} [etag] with or without quotes
 * @property {boolean} [encrypted] the store says that the object is encrypted, so its ETag is no MD5
 * @property {Sums} [sums] of the whole object
 * @property {Sums} [answered] by the answer to the write
 */

/**
 * @typedef {object} Weighed
 * @property {'proved' | 'contradicted' | 'unproved'} verdict `contradicted` needs a read-back to settle it,
 *   and never counts as proved; `unproved` needs a read-back
 * @property {Proof[]} proofs the proofs that hold
 * @property {'size' | Sum} [by] of `contradicted`: what differs
 * @property {string | number} [expected] of `contradicted`
 * @property {string | number} [found] of `contradicted`
 */

/**
 * Weighs one object, or one part, that was written by one request.
 *
 * @param {SentBytes} sent
 * @param {Reported} reported
 * @returns {Weighed}
 */
function weighWritten(sent, reported) {
  if (reported.bytes !== undefined && reported.bytes !== sent.bytes) {
    return contradicted('size', sent.bytes, reported.bytes)
  }
  const stored = weighSums(sent.sums, reported.sums, [...CRCS, ...(sent.kept ?? [])])
  if (stored?.verdict === 'contradicted') return stored
  const answered = weighSums(sent.sums, reported.answered, sent.believed ?? [])
  if (answered?.verdict === 'contradicted') return answered
  const compared = weighSums(sent.sums, reported.sums, sent.kept ?? []) ?? answered
  if (!compared && sent.written) return { verdict: 'proved', proofs: ['written'] }
  return compared ?? weighTag(sent, reported)
}

/**
 * @param {Sums} sent
 * @param {Sums | undefined} found
 * @param {readonly Sum[]} of those to compare
 * @returns {Weighed | undefined} undefined if there is nothing to compare
 */
function weighSums(sent, found, of) {
  const { equal, differs } = compareSums(sent, found, of)
  if (differs) return contradicted(differs, sent[differs], found?.[differs])
  if (equal.length === 0) return undefined
  /** @type {Set<Proof>} */
  const proofs = new Set()
  for (const sum of equal) proofs.add(sum === 'md5' ? 'part-md5' : `store-${sum}`)
  return { verdict: 'proved', proofs: [...proofs] }
}

/** Weighs the ETag, which may be the MD5. @param {SentBytes} sent @param {Reported} reported @returns {Weighed} */
function weighTag(sent, reported) {
  const etag = md5EtagOf({ etag: reported.etag ?? '', encrypted: reported.encrypted })
  if (etag === undefined || etag.parts !== undefined || sent.sums.md5 === undefined)
    return { verdict: 'unproved', proofs: [] }
  if (etag.md5 === sent.sums.md5) return { verdict: 'proved', proofs: ['part-md5'] }
  return contradicted('md5', sent.sums.md5, etag.md5)
}

/** @param {'size' | Sum} by @param {string | number} [expected] @param {string | number} [found] @returns {Weighed} */
function contradicted(by, expected, found) {
  return { verdict: 'contradicted', proofs: [], by, expected, found }
}

/** What differs of a checksum, for messages: one: ours; other: theirs; undefined: none does. @param {Pick<Weighed, 'by' | 'expected' | 'found'>} weighed */
function shownOf({ by, expected, found }) {
  if (by === undefined || by === 'size') return undefined
  return differenceOf({ [by]: String(expected) }, { [by]: String(found) }, [by])
}

/**
 * Weighs the parts of an upload, each by the answer to its own write. A checksum that the store computed and answered
 * decides. Without one, if the ETag of any part is the MD5 of its bytes, the store's ETags are MD5s, and an ETag that differs
 * shows damage. If no ETag is, they may be something else and show nothing.
 *
 * @template {{ partNumber: number, bytes: number, sums: Sums, etag: string, answered?: Sums }} P
 * @param {P[]} parts with the checksums of what was sent, and what the store answered
 * @param {{ checked: boolean, encrypted?: boolean, believed?: readonly Sum[], written?: boolean }} how checked: the store is known to refuse parts
 *   that do not fit the checksum sent with them; believed, written: as in Sent, for parts
 * @returns {{ proved: P[], damaged: P[], unproved: P[] }} damaged: copy again before the upload is completed;
 *   unproved: read back after it
 */
function weighParts(parts, { checked, encrypted = false, believed = [], written = false }) {
  if (checked || written) return { proved: parts, damaged: [], unproved: [] }
  const answered = parts.map(part => weighSums(part.sums, part.answered, believed)?.verdict)
  const tagged = parts.map(part => weighTag(part, { etag: part.etag, encrypted }).verdict)
  const tagsAreMd5 = tagged.includes('proved')
  const byTag = tagged.map(verdict => (verdict === 'contradicted' && !tagsAreMd5 ? 'unproved' : verdict))
  const of = (/** @type {Weighed['verdict']} */ verdict) =>
    parts.filter((_, i) => (answered[i] ?? byTag[i]) === verdict)
  return { proved: of('proved'), damaged: of('contradicted'), unproved: of('unproved') }
}

/**
 * Weighs a copy that the store made by itself, from a source pinned by its ETag. xfer saw no byte of it: a complete answer
 * and the size count as the proof `store`; equal checksums or ETags of both objects prove more. Two ETags that look like MD5s
 * of whole objects and differ speak against the copy.
 *
 * @param {Reported & { bytes: number, etag: string }} source
 * @param {Reported & { etag: string }} copy as the answer, and a HEAD if there was one, reported it
 * @param {boolean} trusted whether the answer alone counts if the size is unknown
 * @returns {Weighed}
 */
function weighCopied(source, copy, trusted) {
  if (copy.bytes !== undefined && copy.bytes !== source.bytes) return contradicted('size', source.bytes, copy.bytes)
  const { differs: by, equal } = compareSums(source.sums, copy.sums)
  if (by) return contradicted(by, source.sums?.[by], copy.sums?.[by])
  const [ours, theirs] = [md5EtagOf(source), md5EtagOf(copy)]
  const whole = ours && theirs && ours.parts === undefined && theirs.parts === undefined
  if (equal.length === 0 && whole && ours.md5 !== theirs.md5) return contradicted('md5', ours.md5, theirs.md5)
  const seen = copy.bytes !== undefined || trusted
  const proofs = proofsOfCopied({ source, etag: copy.etag, storedSums: copy.sums })
  return seen || !proofs.includes('store') ? { verdict: 'proved', proofs } : { verdict: 'unproved', proofs: [] }
}

/**
 * The proofs of a copy that the store made by itself in parts.
 *
 * @param {object} copied
 * @param {Reported & { etag: string }} copied.source
 * @param {string} copied.etag
 * @param {Sums} [copied.storedSums] of the whole object
 * @param {Proof[]} [copied.proofs] the proofs by reading
 * @returns {Proof[]} at least one; `store` (the store's answer and the size) if there is no better one
 */
function proofsOfCopied({ source, etag, storedSums, proofs: found = [] }) {
  /** @type {Proof[]} */
  const proofs = crcsIn(source.sums, storedSums).map(sum => /** @type {const} */ (`stored-${sum}`))
  if (md5EtagOf(source) && sameEtag(source.etag, etag)) proofs.push('source-etag')
  proofs.push(...found)
  return proofs.length > 0 ? proofs : ['store']
}

/** @type {Proof[]} */
const OF_CRC = CRCS.map(sum => /** @type {const} */ (`source-${sum}`))
/** Proofs about what was read, which say nothing about what is stored. @type {Proof[]} */
const ABOUT_READ = [...OF_CRC, 'source-md5', 'source-read']
/** @type {Proof[]} */
const ABOUT_SOURCE = [...ABOUT_READ, 'source-etag', ...CRCS.map(sum => /** @type {const} */ (`stored-${sum}`)), 'store']

/**
 * Checks before anything becomes visible that every part is there once, in order, and that together they are the source's
 * bytes.
 *
 * @param {TaskSuccess[]} outcomes
 * @param {import('../types').Part[]} parts
 * @param {ObjectHead} source
 * @param {{ now?: string }} [now] what is at the destination, if that is not nothing, as a clause
 * @returns {import('../types').Sums} the object's checksums, as far as those of all parts were computed
 * @throws {XferError} INTEGRITY
 */
function checkParts(outcomes, parts, source, now) {
  const bytes = outcomes.reduce((sum, outcome) => sum + outcome.bytes, 0)
  const inOrder =
    outcomes.length === parts.length && outcomes.every(({ partNumber }, i) => partNumber === parts[i].partNumber)
  if (!inOrder || bytes !== source.bytes) {
    const reason = `${outcomes.length} of ${parts.length} parts with ${bytes} of ${source.bytes} bytes were copied`
    throw new XferError('INTEGRITY', { reason, expected: source.bytes, found: bytes, ...now })
  }
  const sums = sumsOfParts(outcomes)
  const difference = differenceOf(source.sums, sums)
  if (!difference) return sums
  const { words, one: expected, other: found } = difference
  const reason = `the source keeps the ${words} ${expected}, and what was read has ${found}`
  throw new XferError('INTEGRITY', { reason, expected, found, ...now })
}

/**
 * How an object that the destination reports differs from what was sent. If the ETag of each part is its MD5, the object's ETag
 * is made of them. Another ETag of the same form shows that the store assembled other parts, for example a late duplicate of a
 * hedged part.
 *
 * @param {{ bytes?: number, sums?: import('../types').Sums, etag: string }} stored
 * @param {{ bytes: number, sums: import('../types').Sums, parts: TaskSuccess[] }} sent parts: those that the ETag is compared
 *   with; none: it is not
 * @returns {string | undefined} a clause; undefined when nothing differs
 */
function contradictionOf({ bytes, sums, etag }, sent) {
  if (bytes !== undefined && bytes !== sent.bytes) {
    return `the destination keeps ${bytes} bytes, and ${sent.bytes} were sent`
  }
  const { words, one, other } = differenceOf(sent.sums, sums) ?? {}
  if (words) return `the destination keeps the ${words} ${other}, and what was sent has ${one}`
  const { parts } = sent
  const expected = multipartEtag(parts)
  const made = md5EtagOf({ etag })?.parts === parts.length
  if (!made || sameEtag(etag, expected) || weighParts(parts, { checked: false }).proved.length < parts.length)
    return undefined
  return `its ETag is ${etag}, and that of its parts would be ${expected}`
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
 * @param {boolean} [copy.checked] the destination is known to check the CRC-32s of parts, and took them all
 * @param {readonly import('../types').Sum[]} [copy.believed] the checksums that the destination computes itself, and answers
 * @param {boolean} [copy.written] the destination is a file system of this machine, which has confirmed all writes
 * @param {Proof[]} [copy.proofs] the proofs that are known already
 * @returns {Proof[]} at least one about what is stored; `size` if there is no better one
 */
function proofsOf({ source, outcomes, sums, etag, storedSums, checked, believed = [], written, proofs: found = [] }) {
  /** @type {Proof[]} */
  const proofs = []
  const [back, byStore] = [found.includes('read-back'), found.includes('store')]
  const stored = crcsIn(sums, storedSums)
  if (checked && sums.crc32 !== undefined) stored.unshift('crc32')
  if (stored.length > 0) proofs.push(...stored.map(sum => /** @type {const} */ (`store-${sum}`)))
  else if (written && hasCrc(sums)) proofs.push('written')
  else {
    const ofParts = outcomes.map(part => (weighSums(part.sums, part.answered, believed) ?? weighTag(part, part)).proofs)
    // Parts without a proof were read back, or copied by the store.
    if (back || byStore || ofParts.every(some => some.length > 0)) proofs.push(...new Set(ofParts.flat()))
  }
  if (back) proofs.push('read-back')
  if (byStore) proofs.push('store')
  const same = crcsIn(sums, source.sums).map(sum => `source-${sum}`)
  const aboutRead = ABOUT_READ.filter(proof => found.includes(proof) || same.includes(proof))
  return claimsOf(source, { etag }, proofs, aboutRead)
}

/**
 * The proofs that a summary may claim.
 *
 * @param {{ etag: string }} source
 * @param {{ etag: string, encrypted?: boolean }} copy
 * @param {Proof[]} aboutStored
 * @param {Proof[]} aboutRead
 * @returns {Proof[]} each once; `size` if only that is known of what is stored
 */
function claimsOf(source, copy, aboutStored, aboutRead) {
  const sameTag = md5EtagOf(copy) !== undefined && sameEtag(copy.etag, source.etag)
  const claims = new Set(aboutStored)
  for (const proof of aboutRead) if (OF_CRC.includes(proof)) claims.add(proof)
  if (sameTag) claims.add('source-etag')
  for (const proof of aboutRead) if (!sameTag || proof !== 'source-md5') claims.add(proof)
  if (aboutStored.length === 0 && !sameTag) claims.add('size')
  return [...claims]
}

/** The CRCs that are equal. @param {import('../types').Sums | undefined} one @param {import('../types').Sums} [other] */
function crcsIn(one, other) {
  return /** @type {import('./sums').Crc[]} */ (compareSums(one, other).equal)
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
  let proved = false
  for (const proof of proofs) {
    if (ABOUT_SOURCE.includes(proof)) return false
    proved ||= proof !== 'size'
  }
  return bytes > 0 && proved
}

module.exports = {
  claimsOf,
  proofsOfCopied,
  shownOf,
  weighCopied,
  weighParts,
  weighWritten,
  checkParts,
  contradictionOf,
  isUncompared,
  multipartEtag,
  proofsOf,
}
