'use strict'

/**
 * Checksums, ETags, and what proves that a copy is right: arithmetic and judgement, without any request.
 * docs/integrity.md says what each proof is worth.
 */

const { crc32FromBase64, crc32OfParts, crc32ToBase64 } = require('./crc32')
const { NO_ETAG, md5EtagOf, parseEtag, partsOfEtag, plainMd5Of, sameDigest, sameEtag, unquoted } = require('./etag')
const { proofsOfCopied, weighCopied, weighParts, weighWritten } = require('./evidence')
const { compareContents, compareStored, trustedHead } = require('./objects')
const { checkParts, checkStored, isUncompared, multipartEtag, proofsOf } = require('./proofs')
const { compositeCrc32, judgeSource, md5OfMd5s } = require('./source')
const { checksCrc32, fullCrc32 } = require('./sums')
const { beginsWithSums, evidenceFrom, hasMd5Tags, planParts, planPut } = require('./sums-plan')

module.exports = {
  beginsWithSums,
  checkParts,
  checksCrc32,
  checkStored,
  compareContents,
  compareStored,
  compositeCrc32,
  crc32FromBase64,
  crc32OfParts,
  crc32ToBase64,
  evidenceFrom,
  fullCrc32,
  hasMd5Tags,
  isUncompared,
  judgeSource,
  md5EtagOf,
  md5OfMd5s,
  multipartEtag,
  NO_ETAG,
  parseEtag,
  partsOfEtag,
  plainMd5Of,
  planParts,
  planPut,
  proofsOf,
  proofsOfCopied,
  sameDigest,
  sameEtag,
  trustedHead,
  unquoted,
  weighCopied,
  weighParts,
  weighWritten,
}
