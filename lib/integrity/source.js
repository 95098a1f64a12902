'use strict'

/**
 * Compares what was read with the checksums and the ETag of the source. Equal values prove that it is the same. Different
 * values prove less: a composite checksum and the ETag of a multipart upload depend on the sizes of all parts, and an ETag
 * may be no MD5 at all. Pure.
 */

const { crc32 } = require('node:zlib')
const { createHash } = require('node:crypto')
const { crc32OfParts, crc32ToBase64 } = require('./crc32')
const { md5EtagOf, plainMd5Of } = require('./etag')
const { fullCrc32 } = require('./sums')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Proof} Proof */

/** Older stores leave out the number of parts. */
const COMPOSITE = /^([A-Za-z0-9+/]{6}==)(?:-(\d+))?$/

/**
 * How what was read compares with what the source reports. `equal` is a proof. `different` is a reason to read again.
 * `unknown`: the source has an ETag to compare with, but the MD5s of what was read are missing.
 *
 * @typedef {{ verdict: 'equal' | 'different' | 'unknown', by: 'full-crc32' | 'composite-crc32' | 'etag', proofs: Proof[] }} Evidence
 *   proofs: those that hold for what was read
 */

/** @type {Record<Evidence['by'], Proof>} */
const PROOF = { 'full-crc32': 'source-crc32', 'composite-crc32': 'source-crc32', etag: 'source-md5' }

/**
 * @param {ObjectHead} source
 * @param {Array<Pick<TaskSuccess, 'bytes' | 'crc32' | 'etag' | 'md5'>>} outcomes of all parts, in order
 * @param {boolean} etagsAreMd5 whether the parts' ETags are the MD5s of their bytes
 * @returns {Evidence | undefined} the best evidence; undefined if there is nothing to compare with
 */
function judgeSource(source, outcomes, etagsAreMd5) {
  const full = judgeFull(source, outcomes)
  // It does not depend on the parts, so it decides.
  if (full?.verdict === 'different') return full
  const composite = judgeComposite(source, outcomes)
  const etag = judgeEtag(source, outcomes, etagsAreMd5)
  const all = [full, composite, etag].filter(evidence => evidence !== undefined)
  const best = all.find(({ verdict }) => verdict === 'equal') ?? all[0]
  return best && { ...best, proofs: [...new Set(all.flatMap(({ proofs }) => proofs))] }
}

/** @param {Evidence['verdict']} verdict @param {Evidence['by']} by @returns {Evidence} */
function evidenceOf(verdict, by) {
  return { verdict, by, proofs: verdict === 'equal' ? [PROOF[by]] : [] }
}

/** @param {ObjectHead} source @param {Array<{ crc32?: number, bytes: number }>} outcomes @returns {Evidence | undefined} */
function judgeFull({ checksum }, outcomes) {
  const expected = fullCrc32(checksum)
  const found = crc32OfParts(outcomes)
  if (expected === undefined || found === undefined) return undefined
  return evidenceOf(expected === found ? 'equal' : 'different', 'full-crc32')
}

/** @param {ObjectHead} source @param {Array<{ crc32?: number }>} outcomes @returns {Evidence | undefined} */
function judgeComposite({ checksum }, outcomes) {
  const [, value, count] = COMPOSITE.exec(checksum?.type === 'COMPOSITE' ? checksum.crc32 : '') ?? []
  if (value === undefined || Number(count ?? outcomes.length) !== outcomes.length) return undefined
  const summed = outcomes.flatMap(({ crc32 }) => (crc32 === undefined ? [] : { crc32 }))
  if (summed.length < outcomes.length) return undefined
  return evidenceOf(value === compositeCrc32(summed) ? 'equal' : 'different', 'composite-crc32')
}

/** @param {ObjectHead} source @param {Array<{ etag: string, md5?: string }>} outcomes @param {boolean} etagsAreMd5 @returns {Evidence | undefined} */
function judgeEtag(source, outcomes, etagsAreMd5) {
  const expected = md5EtagOf(source)
  if (!expected || (expected.parts ?? 1) !== outcomes.length) return undefined
  const md5s = outcomes.map(({ md5, etag }) => md5 ?? (etagsAreMd5 ? plainMd5Of(etag) : undefined))
  if (md5s.includes(undefined)) return evidenceOf('unknown', 'etag')
  const found = expected.parts === undefined ? md5s[0] : md5OfMd5s(/** @type {string[]} */ (md5s))
  return evidenceOf(found === expected.md5 ? 'equal' : 'different', 'etag')
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
 * @param {Array<{ crc32: number }>} parts in order
 * @returns {string} base64, without the number of parts
 */
function compositeCrc32(parts) {
  return crc32ToBase64(crc32(Buffer.concat(parts.map(part => Buffer.from(crc32ToBase64(part.crc32), 'base64')))))
}

module.exports = { judgeSource, compositeCrc32, md5OfMd5s }
