'use strict'

/**
 * ETags: their syntax, and the form of an MD5, which need not be one (see `encrypted` of ObjectHead). Compares what was read with
 * the checksums and the ETag of the source, and two objects by what their stores report. Equal values prove that it is the same.
 * Different values prove less: a composite checksum and the ETag of a multipart upload depend on the sizes of all parts, and an
 * ETag may be no MD5 at all. Pure.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 */

const { crc32 } = require('node:zlib')
const { createHash } = require('node:crypto')
const { compareSums, sumsOfParts, sumText, SUM_WORDS, CRCS, only } = require('./sums')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('../types').Sum} Sum */

/** An MD5, or for a multipart upload the MD5 of its parts' MD5s and the number of parts. */
const MD5_FORM = /^"?([0-9a-f]{32})(?:-([1-9]\d*))?"?$/i
/** The ASCII characters that an ETag may have (RFC 9110 section 8.8.3). */
const TEXT = /^(?:"([\x21\x23-\x7e]+)"|([\x21\x23-\x7e]+))$/

/** A valid ETag that no object has. */
const NO_ETAG = `"${'0'.repeat(32)}"`

/** A date as in Last-Modified (RFC 9110 section 5.6.7). No ETag has spaces. */
const DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/**
 * What pins an object without an ETag: its Last-Modified, which stands for the ETag everywhere. Its size is compared in any case.
 *
 * @param {string | undefined} lastModified
 * @returns {string} empty if it is not a date
 */
function timePinOf(lastModified = '') {
  return DATE.test(lastModified) ? lastModified : ''
}

/** Whether an object is pinned by its Last-Modified, because its store tells no ETag. @param {{ etag: string }} object */
function isPinnedByTime({ etag }) {
  return DATE.test(etag)
}

/**
 * ETags that a proxy has changed, so that its store takes them for another object's: weak ones never fit If-Match (RFC 9110
 * section 13.1.1), and a proxy that compresses may append the coding (mod_deflate and mod_brotli, Jetty).
 */
const ALTERATIONS = /^W\/|-(?:gzip|br|deflate|zstd)(?="?$)/g

/** @param {{ etag: string }} object */
function isAltered({ etag }) {
  return etag.replace(ALTERATIONS, '') !== etag
}

/**
 * The object, pinned by its Last-Modified in place of its ETag; as it is, if its store tells no time.
 *
 * @template {{ etag: string, lastModifiedMs?: number }} T
 * @param {T} object
 * @returns {T}
 */
function pinByTime(object) {
  const { lastModifiedMs } = object
  return lastModifiedMs === undefined ? object : { ...object, etag: new Date(lastModifiedMs).toUTCString() }
}

/**
 * Whether both are one object: if its Last-Modified pins one of them, it is compared, and else the ETags.
 *
 * @typedef {{ etag: string, bytes: number, lastModifiedMs?: number }} Pinned
 * @param {Pinned} one
 * @param {Pinned} other
 */
function isSamePinned(one, other) {
  const byTime = isPinnedByTime(one) !== isPinnedByTime(other)
  const [a, b] = byTime ? [pinByTime(one), pinByTime(other)] : [one, other]
  return sameEtag(a.etag, b.etag) && one.bytes === other.bytes
}

/**
 * @param {{ etag: string, encrypted?: boolean }} object
 * @returns {{ md5: string, parts?: number } | undefined} undefined if its ETag cannot be an MD5; md5: lower-case hex; parts: the
 *   number of parts of a multipart upload
 */
function md5EtagOf({ etag, encrypted }) {
  const found = encrypted ? null : MD5_FORM.exec(etag)
  if (!found) return undefined
  const md5 = found[1].toLowerCase()
  return found[2] === undefined ? { md5 } : { md5, parts: Number(found[2]) }
}

/** @param {string} etag @returns {string | undefined} lower-case hex; undefined if it is not in the form of a plain MD5 */
function plainMd5Of(etag) {
  const { md5, parts } = md5EtagOf({ etag }) ?? {}
  return parts === undefined ? md5 : undefined
}

/** The number of parts of the object's multipart upload, if its ETag has that form. @param {string} etag @returns {number | undefined} */
function partsOfEtag(etag) {
  return md5EtagOf({ etag })?.parts
}

/** @param {string} one @param {string} other ETags, with or without their quotes; a proxy may have changed them */
function sameEtag(one, other) {
  return one === other || unquoted(one.replace(ALTERATIONS, '')) === unquoted(other.replace(ALTERATIONS, ''))
}

/**
 * Whether both ETags have the form of MD5s and are equal. Then the bytes are equal too, also of different stores.
 *
 * @param {string} one
 * @param {string} other
 */
function sameDigest(one, other) {
  return sameForm(md5EtagOf({ etag: one }), md5EtagOf({ etag: other }))
}

/** Whether both are known and equal. @param {ReturnType<typeof md5EtagOf>} one @param {ReturnType<typeof md5EtagOf>} other */
function sameForm(one, other) {
  return one !== undefined && one.md5 === other?.md5 && one.parts === other.parts
}

/** @param {string} etag */
function unquoted(etag) {
  return etag.replace(/^"|"$/g, '')
}

/** Parses an ETag that a user typed. @param {string} text @returns {string | undefined} with its quotes; undefined if it is none */
function parseEtag(text) {
  const [, quoted, bare] = TEXT.exec(text) ?? []
  const etag = quoted ?? bare
  return etag === undefined || etag === '*' ? undefined : `"${etag}"`
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

/**
 * The MD5 that a source is known by: one that its store keeps, or its ETag.
 *
 * @param {Pick<ObjectHead, 'sums' | 'etag' | 'encrypted'>} source
 * @returns {{ md5: string, parts?: number } | undefined} parts: the number of parts, if it is made of their MD5s
 */
function keptMd5(source) {
  const md5 = source.sums?.md5
  return md5 === undefined ? md5EtagOf(source) : { md5 }
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

/** @param {string[]} md5s hex */
function md5OfMd5s(md5s) {
  const hash = createHash('md5')
  for (const md5 of md5s) hash.update(Buffer.from(md5, 'hex'))
  return hash.digest('hex')
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
  isAltered,
  isPinnedByTime,
  isSamePinned,
  pinByTime,
  md5EtagOf,
  NO_ETAG,
  parseEtag,
  partsOfEtag,
  plainMd5Of,
  sameDigest,
  sameEtag,
  timePinOf,
  unquoted,
  compositeCrc32,
  isCrc,
  judgeSource,
  keptBy,
  keptMd5,
  md5OfMd5s,
  compareContents,
  compareStored,
  sameMd5,
  trustedHead,
}
