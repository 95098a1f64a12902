'use strict'

/**
 * Plans which checksums a task computes and sends, and what will prove the bytes that it writes: from what the source keeps,
 * and from what the destination checks or answers. The only place that decides this. Pure; see docs/integrity.md.
 */

const { md5EtagOf } = require('./etag')
const { fullCrc32 } = require('./sums')

/** @typedef {import('../types').Abilities} Abilities */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {Pick<ObjectHead, 'etag' | 'encrypted' | 'checksum'>} Source */

/**
 * What is expected to prove a write. `checked`: the store refuses bytes that do not fit the CRC-32 sent with them.
 * `answered`: the store computes a checksum itself, and its answer tells it. `tag`: the ETag is the MD5. `none`: the bytes have
 * to be read back.
 *
 * @typedef {'checked' | 'answered' | 'tag' | 'none'} Evidence
 *
 * @typedef {object} SumsPlan
 * @property {boolean} crc32 whether the task computes the CRC-32 of the bytes
 * @property {boolean} md5 whether it computes their MD5
 * @property {boolean} sent whether the write carries the CRC-32
 * @property {boolean} tell whether the headers of the answers are needed
 * @property {Evidence} evidence
 */

/** Checksums that a task can compute. @type {readonly Sum[]} */
const COMPUTED = ['crc32', 'md5']

/** The checksums of the store's answers that a task can compare. @param {Abilities} can */
function answeredBy(can) {
  return can.sums.answered.filter(sum => COMPUTED.includes(sum))
}

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
  if (answeredBy(can).length > 0) return 'answered'
  return hasMd5Tags(can, encrypted) ? 'tag' : 'none'
}

/**
 * The MD5 that the evidence needs. No MD5 is computed for a store whose ETags are never MD5s.
 *
 * @param {Abilities} can
 * @param {{ sent: boolean, checked: boolean }} writes as in `expectedEvidence`
 */
function needsMd5(can, { sent, checked }) {
  const answered = answeredBy(can)
  if (answered.length > 0) return !(sent && checked) && !answered.includes('crc32')
  return !sent && can.partTag === 'md5'
}

/**
 * Whether an upload to a store begins with checksums.
 *
 * @param {{ can: Pick<Abilities, 'sumAt'>, wanted: boolean, checks: boolean }} of checks: the store is known to check those of
 *   parts, or nobody has found out yet
 */
function beginsWithSums({ can, wanted, checks }) {
  return wanted && checks && carriesSums(can)
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
  const evidence = proved ? expectedEvidence(can, { sent, checked, encrypted }) : 'none'
  const etag = md5EtagOf(source)
  // Where the parts' ETags are their MD5s, the source's ETag is compared with those.
  const comparesMd5 = !hasMd5Tags(can, encrypted) && etag !== undefined && (etag.parts ?? 1) === parts
  return {
    // An upload that began with checksums requires one for each part.
    crc32: proved || sent,
    md5: proved && (needsMd5(can, { sent: sent && checked, checked }) || comparesMd5),
    sent,
    tell: evidence === 'answered',
    evidence,
  }
}

/**
 * The task of an object in one request.
 *
 * @param {object} of
 * @param {Abilities} of.can of the destination
 * @param {boolean} of.proved as in `planParts`
 * @param {boolean} of.takes whether the store may take a checksum with such a write: false once it has refused one
 * @param {boolean} of.wants whether it has refused a write without one
 * @param {boolean} of.checks whether it is known to check the checksum of such a write
 * @param {Source} of.source
 * @returns {SumsPlan}
 */
function planPut({ can, proved, takes, wants, checks, source }) {
  const sent = proved && takes && (checks || wants) && carriesSums(can)
  const etag = md5EtagOf(source)
  // A CRC-32 of the source is compared instead, if it keeps one.
  const comparesMd5 = etag !== undefined && etag.parts === undefined && fullCrc32(source.checksum) === undefined
  const md5 = proved && (needsMd5(can, { sent, checked: checks }) || comparesMd5)
  const evidence = proved ? expectedEvidence(can, { sent, checked: checks }) : 'none'
  // The answers to a read and a write of a whole object describe it, so they are always needed.
  return { crc32: proved, md5, sent, tell: true, evidence: evidence === 'tag' && !md5 ? 'none' : evidence }
}

/**
 * What of a store's answers is evidence: for `weighWritten` and `weighParts`.
 *
 * @param {Abilities} can
 * @param {{ checked?: boolean, encrypted?: boolean }} written checked: with checksums that the store is known to check
 * @returns {{ checked: boolean, encrypted: boolean, believed: readonly Sum[] }} encrypted: an ETag is no MD5, for whatever reason
 */
function evidenceFrom(can, { checked = false, encrypted = false }) {
  return { checked, encrypted: !hasMd5Tags(can, encrypted), believed: answeredBy(can) }
}

module.exports = { beginsWithSums, evidenceFrom, hasMd5Tags, planParts, planPut }
