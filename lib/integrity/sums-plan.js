'use strict'

/**
 * Plans which checksums a task computes and sends, and what will prove the bytes that it writes: from what the source keeps,
 * and from what the destination checks or answers. The only place that decides this. Pure; see docs/integrity.md.
 */

const { keptMd5 } = require('./source')
const { CRCS, hasCrc } = require('./sums')

/** @typedef {import('../types').Abilities} Abilities */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {Pick<ObjectHead, 'etag' | 'encrypted' | 'sums'>} Source */

/**
 * What is expected to prove a write. `checked`: the store refuses bytes that do not fit the CRC-32 sent with them.
 * `answered`: the store computes a checksum itself, and its answer tells it. `computed`: it computes one of the whole object, and
 * tells it once the object is there. `written`: the store is a file system of this machine, which confirms what it wrote. `tag`:
 * the ETag is the MD5. `none`: the bytes have to be read back.
 *
 * @typedef {'checked' | 'answered' | 'computed' | 'written' | 'tag' | 'none'} Evidence
 *
 * @typedef {object} SumsPlan
 * @property {Sum[]} sums those that the task computes of the bytes
 * @property {boolean} sent whether the write carries the CRC-32
 * @property {boolean} tell whether the headers of the answers are needed
 * @property {Evidence} evidence
 */

/** The one that a write carries. @type {Sum} */
const SENT = 'crc32'
/** In the order in which they are preferred. @type {readonly Sum[]} */
const PREFERRED = [...CRCS, 'md5']

/** Whether a write can carry the CRC-32 of its bytes. @param {Pick<Abilities, 'sumAt'>} can */
function carriesSums({ sumAt }) {
  return sumAt === 'trailer' || sumAt === 'header'
}

/** Whether the ETags of what is written are MD5s. @param {Pick<Abilities, 'partTag'>} can @param {boolean | undefined} encrypted */
function hasMd5Tags({ partTag }, encrypted) {
  return partTag === 'md5' && !encrypted
}

/**
 * @param {Abilities} can of the destination
 * @param {{ sent: boolean, checked: boolean, encrypted?: boolean }} writes checked: the store is known to refuse a wrong CRC-32
 * @returns {Evidence}
 */
function expectedEvidence(can, { sent, checked, encrypted }) {
  if (sent && checked) return 'checked'
  if (can.sums.answered.length > 0) return 'answered'
  if (firstIn(CRCS, can.sums.computed ?? []) !== undefined) return 'computed'
  if (can.written) return 'written'
  return hasMd5Tags(can, encrypted) ? 'tag' : 'none'
}

/**
 * The checksums that a task computes: what the evidence needs, and one that the source keeps. At least one of them is a CRC,
 * because only those of parts give that of the whole, and a read-back is compared with it. No MD5 is computed for a store whose
 * ETags are never MD5s.
 *
 * @param {Abilities} can
 * @param {{ sent: boolean, checked: boolean, evidence: Evidence, source: Source, comparesMd5: boolean }} of checked: the store is known to
 *   refuse a wrong CRC-32; comparesMd5: an MD5 of the source is compared
 * @returns {Sum[]}
 */
function computedSums(can, { sent, checked, evidence, source, comparesMd5 }) {
  const { answered, computed = [] } = can.sums
  /** The CRCs that the source keeps. @type {Sum[]} */
  const kept = []
  for (const sum of CRCS) if (source.sums?.[sum] !== undefined) kept.push(sum)
  /** @type {Sum[]} */
  const sums = sent ? [SENT] : []
  const told = evidence === 'answered' ? answered : evidence === 'computed' ? computed : []
  const best = firstIn(kept, told) ?? firstIn(PREFERRED, told)
  if (best !== undefined && !sums.includes(best)) sums.push(best)
  if (kept.length > 0 && firstIn(kept, sums) === undefined) sums.push(kept[0])
  if (firstIn(CRCS, sums) === undefined) sums.push(SENT)
  const comparesTag = can.partTag === 'md5' && evidence !== 'answered' && evidence !== 'computed' && !(sent && checked)
  if ((comparesTag || comparesMd5) && !sums.includes('md5')) sums.push('md5')
  return sums
}

/** @param {readonly Sum[]} names in the order in which they are preferred @param {readonly Sum[]} of @returns {Sum | undefined} */
function firstIn(names, of) {
  for (const sum of names) if (of.includes(sum)) return sum
  return undefined
}

/**
 * The tasks of the parts of an upload.
 *
 * @param {object} of
 * @param {Abilities} of.can of the destination
 * @param {boolean} of.proved false with `--verify size` and `none`
 * @param {{ checksums: boolean, checked?: boolean, encrypted?: boolean }} of.upload
 * @param {Source} of.source
 * @param {number} of.parts how many the upload has
 * @returns {SumsPlan}
 */
function planParts({ can, proved, upload: { checksums: sent, checked = false, encrypted }, source, parts }) {
  // An upload that began with checksums requires one for each part.
  if (!proved) return { sums: sent ? [SENT] : [], sent, tell: false, evidence: 'none' }
  const evidence = expectedEvidence(can, { sent, checked, encrypted })
  const etag = keptMd5(source)
  // Where the parts' ETags are their MD5s, the source's ETag is compared with those.
  const comparesMd5 = !hasMd5Tags(can, encrypted) && etag !== undefined && (etag.parts ?? 1) === parts
  const sums = computedSums(can, { sent, checked, evidence, source, comparesMd5 })
  return { sums, sent, tell: evidence === 'answered', evidence }
}

/**
 * The task of an object in one request.
 *
 * @param {object} of
 * @param {Abilities} of.can of the destination
 * @param {boolean} of.proved as in `planParts`
 * @param {boolean} of.checks whether it is known to check the checksum of such a write
 * @param {Source} of.source
 * @param {readonly Sum[]} [of.tells] the checksums that the source's store computes of every object, and tells with a read
 * @returns {SumsPlan}
 */
function planPut({ can, proved, checks, source: known, tells = [] }) {
  // The answers to a read and a write of a whole object describe it, so they are always needed.
  if (!proved) return { sums: [], sent: false, tell: true, evidence: 'none' }
  const sent = checks && carriesSums(can)
  const evidence = expectedEvidence(can, { sent, checked: checks })
  const kept = keptMd5(known)
  const hasMd5 = kept !== undefined && kept.parts === undefined
  // What is known beforehand is compared before the last byte is written, so it is preferred.
  const source = hasMd5 || known.sums ? known : { ...known, sums: Object.fromEntries(tells.map(sum => [sum, ''])) }
  // A CRC of the source is compared instead, if it keeps one.
  const comparesMd5 = hasMd5 && !hasCrc(source.sums)
  const sums = computedSums(can, { sent, checked: checks, evidence, source, comparesMd5 })
  return { sums, sent, tell: true, evidence }
}

/**
 * What of a store's answers is evidence: for `weighWritten` and `weighParts`.
 *
 * @param {Abilities} can
 * @param {{ checked?: boolean, encrypted?: boolean }} written checked: with checksums that the store is known to check
 * @returns {{ checked: boolean, encrypted: boolean, believed: readonly Sum[], kept: readonly Sum[], written: boolean }} encrypted:
 *   an ETag is no MD5, for whatever reason; kept: the checksums of the whole object that the store is known to have compared or
 *   computed; written: as of `Abilities`
 */
function evidenceFrom(can, { checked = false, encrypted = false }) {
  const kept = [...new Set([...(checked ? [SENT] : []), ...(can.sums.computed ?? [])])]
  const { written = false } = can
  return { checked, encrypted: !hasMd5Tags(can, encrypted), believed: can.sums.answered, kept, written }
}

module.exports = { carriesSums, evidenceFrom, hasMd5Tags, planParts, planPut }
