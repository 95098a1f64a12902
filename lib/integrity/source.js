'use strict'

/**
 * The source and its copy. Plans which checksums a task computes and sends, and what will prove the bytes that it writes: from what the
 * source keeps, and from what the destination checks or answers; the only place that decides this. Then compares what was read with
 * the checksums and the ETag of the source, and two objects by what their stores report. Equal values prove that it is the same.
 * Different values prove less: a composite checksum and the ETag of a multipart upload depend on the sizes of all parts, and an
 * ETag may be no MD5 at all. Pure; see docs/integrity.md.
 */

const { crc32 } = require('node:zlib')
const { CRCS, SUM_WORDS, compareSums, hasCrc, keptMd5, md5EtagOf, md5OfMd5s, only } = require('./sums')
const { plainMd5Of, sameForm, sumText, sumsOfParts } = require('./sums')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {import('../types').Abilities} Abilities */
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
  const { answered, computed = [] } = can.sums
  if (answered.length > 0) return 'answered'
  if (firstIn(CRCS, computed) !== undefined) return 'computed'
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
  const { answered: believed, computed = [] } = can.sums
  const kept = [...new Set([...(checked ? [SENT] : []), ...computed])]
  const { written = false } = can
  return { checked, encrypted: !hasMd5Tags(can, encrypted), believed, kept, written }
}

/** Older stores leave out the number of parts. */
const COMPOSITE = /^([A-Za-z0-9+/]{6}==)(?:-(\d+))?$/

/**
 * How what was read compares with what the source reports. `equal` is a proof. `different` is a reason to read again.
 * `unknown`: the source has an ETag to compare with, but the MD5s of what was read are missing.
 *
 * @typedef {{ verdict: 'equal' | 'different' | 'unknown', by: import('./sums').Crc | 'composite' | 'etag', proofs: Proof[] }} SourceEvidence
 *   by: a checksum of the whole object, a checksum of its parts' CRC-32s, or an MD5; proofs: those that hold for what was read
 */

/**
 * @param {ObjectHead} source
 * @param {Array<Pick<TaskSuccess, 'bytes' | 'sums' | 'etag'>>} outcomes of all parts, in order
 * @param {boolean} etagsAreMd5 whether the parts' ETags are the MD5s of their bytes
 * @returns {SourceEvidence | undefined} the best evidence; undefined if there is nothing to compare with
 */
function judgeSource(source, outcomes, etagsAreMd5) {
  const full = source.sums && judgeFull(source.sums, outcomes)
  // It does not depend on the parts, so it decides.
  if (full?.verdict === 'different') return full
  const composite = source.composite && judgeComposite(source.composite, outcomes)
  const etag = judgeEtag(source, outcomes, etagsAreMd5)
  /** @type {SourceEvidence | undefined} */
  let best
  /** @type {Set<Proof>} */
  const proofs = new Set()
  for (const evidence of [full, composite, etag]) {
    if (!evidence) continue
    if (!best || (best.verdict !== 'equal' && evidence.verdict === 'equal')) best = evidence
    for (const proof of evidence.proofs) proofs.add(proof)
  }
  return best && { ...best, proofs: [...proofs] }
}

/** @param {SourceEvidence['verdict']} verdict @param {SourceEvidence['by']} by @param {Proof} proof if they are equal @returns {SourceEvidence} */
function evidenceOf(verdict, by, proof) {
  return { verdict, by, proofs: verdict === 'equal' ? [proof] : [] }
}

/** @param {import('../types').Sums} kept of the source @param {Array<{ sums: import('../types').Sums, bytes: number }>} outcomes @returns {SourceEvidence | undefined} */
function judgeFull(kept, outcomes) {
  const { equal, differs } = compareSums(kept, sumsOfParts(outcomes))
  const by = /** @type {import('./sums').Crc | undefined} */ (differs ?? equal[0])
  if (by === undefined) return undefined
  return evidenceOf(differs ? 'different' : 'equal', by, `source-${by}`)
}

/** @param {NonNullable<ObjectHead['composite']>} kept by the source @param {Array<{ sums: import('../types').Sums }>} outcomes @returns {SourceEvidence | undefined} */
function judgeComposite(kept, outcomes) {
  const [, value, count] = COMPOSITE.exec(kept.crc32) ?? []
  if (value === undefined || Number(count ?? outcomes.length) !== outcomes.length) return undefined
  const crc32s = outcomes.flatMap(({ sums }) => sums.crc32 ?? [])
  if (crc32s.length < outcomes.length) return undefined
  return evidenceOf(value === compositeCrc32(crc32s) ? 'equal' : 'different', 'composite', 'source-crc32')
}

/** @param {ObjectHead} source @param {Array<{ etag: string, sums: import('../types').Sums }>} outcomes @param {boolean} etagsAreMd5 @returns {SourceEvidence | undefined} */
function judgeEtag(source, outcomes, etagsAreMd5) {
  const expected = keptMd5(source)
  if (!expected || (expected.parts ?? 1) !== outcomes.length) return undefined
  /** @type {string[]} */
  const md5s = []
  for (const { sums, etag } of outcomes) {
    const md5 = sums.md5 ?? (etagsAreMd5 ? plainMd5Of(etag) : undefined)
    if (md5 === undefined) return evidenceOf('unknown', 'etag', 'source-md5')
    md5s.push(md5)
  }
  const found = expected.parts === undefined ? md5s[0] : md5OfMd5s(md5s)
  return evidenceOf(found === expected.md5 ? 'equal' : 'different', 'etag', 'source-md5')
}

/** @param {SourceEvidence['by']} by @returns {by is import('./sums').Crc} whether it is of the whole object, however that was cut */
function isCrc(by) {
  return by !== 'etag' && by !== 'composite'
}

/**
 * What a source keeps, for messages.
 *
 * @param {Exclude<SourceEvidence['by'], 'etag'>} by
 * @param {ObjectHead} source
 */
function keptBy(by, source) {
  const expected = isCrc(by) ? sumText(by, source.sums?.[by]) : source.composite?.crc32
  return { expected, words: `${isCrc(by) ? SUM_WORDS[by] : 'composite CRC-32'} ${expected}` }
}

/**
 * The checksum of the parts' checksums.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 *
 * @param {string[]} crc32s of the parts in order, in hex
 * @returns {string} base64, without the number of parts
 */
function compositeCrc32(crc32s) {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(Buffer.from(crc32s.join(''), 'hex')))
  return sum.toString('base64')
}

/** @type {readonly Sum[]} */
const COMPARED = [...CRCS, 'md5']

/**
 * Removes the checksums that cannot be trusted: a store that is not known to check or to compute them may only repeat what it
 * was sent.
 *
 * @template {Pick<ObjectHead, 'sums' | 'composite'>} H
 * @param {H} head as HEAD or a list tells it
 * @param {Pick<import('../types').Abilities, 'sums'>} can of its store
 * @returns {H}
 */
function trustedHead(head, { sums: { checked, computed = [] } }) {
  const { sums, composite, ...rest } = head
  const trusted = only(sums, [...checked, ...computed])
  return /** @type {H} */ ({
    ...rest,
    ...(Object.keys(trusted).length > 0 && { sums: trusted }),
    ...(composite && checked.includes('crc32') && { composite }),
  })
}

/**
 * Whether two objects have equal contents, by what their stores report. Different ETags of uploads in parts say nothing,
 * because the parts may have had other sizes.
 *
 * @param {ObjectHead} one
 * @param {ObjectHead} other
 * @returns {'equal' | 'different' | 'unknown'} unknown: what they report cannot be compared
 */
function compareContents(one, other) {
  if (one.bytes !== other.bytes) return 'different'
  if (compareSums(one.sums, other.sums, COMPARED).differs) return 'different'
  const stored = compareStored(one, other)
  if ((stored && stored.method !== 'composite-crc32') || sameMd5(one, other)) return 'equal'
  const [mine, theirs] = [one, other].map(keptMd5)
  const plain = mine && theirs && mine.parts === undefined && theirs.parts === undefined
  return plain ? 'different' : 'unknown'
}

/**
 * Whether the MD5s of both are known and equal: each is one that the store keeps, or the ETag.
 *
 * @param {Pick<ObjectHead, 'etag' | 'encrypted' | 'sums'>} one
 * @param {Pick<ObjectHead, 'etag' | 'encrypted' | 'sums'>} other
 */
function sameMd5(one, other) {
  return sameForm(keptMd5(one), keptMd5(other))
}

/**
 * What proves two stored objects equal without reading them.
 *
 * @typedef {{ method: Exclude<import('../types').VerifyMethod, 'read'>, value: string, layout: boolean }} StoredProof layout: it can
 *   be equal only if the parts of both have the same sizes
 */

/**
 * @param {Pick<ObjectHead, 'etag' | 'encrypted' | 'sums' | 'composite'>} one
 * @param {Pick<ObjectHead, 'etag' | 'encrypted' | 'sums' | 'composite'>} other
 * @returns {StoredProof | undefined} undefined if nothing proves them equal
 */
function compareStored(one, other) {
  const [sum] = compareSums(one.sums, other.sums, COMPARED).equal
  if (sum) return { method: `stored-${sum}`, value: sumText(sum, one.sums?.[sum]), layout: false }
  const [mine, theirs] = [one, other].map(md5EtagOf)
  if (sameForm(mine, theirs)) return { method: 'etag', value: one.etag, layout: mine?.parts !== undefined }
  // One may keep an MD5 beside its ETag, and the other's ETag is one.
  if (mine?.parts === undefined && theirs?.parts === undefined && sameMd5(one, other)) {
    return { method: 'stored-md5', value: /** @type {{ md5: string }} */ (keptMd5(one)).md5, layout: false }
  }
  const composite = one.composite?.crc32
  if (composite === undefined || composite !== other.composite?.crc32) return undefined
  return { method: 'composite-crc32', value: composite, layout: true }
}

module.exports = {
  carriesSums,
  evidenceFrom,
  hasMd5Tags,
  planParts,
  planPut,
  compositeCrc32,
  isCrc,
  judgeSource,
  keptBy,
  compareContents,
  compareStored,
  sameMd5,
  trustedHead,
}
