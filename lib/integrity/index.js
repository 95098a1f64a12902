'use strict'

/**
 * Checksums, ETags, and what proves that a copy is right: arithmetic and judgement, without any request.
 * docs/integrity.md says what each proof is worth.
 */

const { combine } = require('./combine')
const {
  isPinnedByTime,
  md5EtagOf,
  NO_ETAG,
  parseEtag,
  partsOfEtag,
  plainMd5Of,
  sameDigest,
  sameEtag,
  timePinOf,
  unquoted,
} = require('./etag')
const { proofsOfCopied, weighCopied, weighParts, weighWritten } = require('./evidence')
const { compareContents, compareStored, sameMd5, trustedHead } = require('./objects')
const { checkParts, checkStored, isUncompared, multipartEtag, proofsOf } = require('./proofs')
const { compositeCrc32, judgeSource, keptMd5, md5OfMd5s } = require('./source')
const {
  base64Of,
  checksCrc32,
  compareSums,
  CRCS,
  hasCrc,
  namesOf,
  only,
  publicSums,
  sameCrcs,
  sumsOfParts,
  sumText,
  SUM_WORDS,
} = require('./sums')
const { carriesSums, evidenceFrom, hasMd5Tags, planParts, planPut } = require('./sums-plan')

module.exports = {
  base64Of,
  carriesSums,
  checkParts,
  checksCrc32,
  checkStored,
  combine,
  compareContents,
  compareStored,
  compareSums,
  compositeCrc32,
  CRCS,
  evidenceFrom,
  hasCrc,
  hasMd5Tags,
  isPinnedByTime,
  isUncompared,
  judgeSource,
  keptMd5,
  md5EtagOf,
  md5OfMd5s,
  multipartEtag,
  namesOf,
  NO_ETAG,
  only,
  parseEtag,
  partsOfEtag,
  plainMd5Of,
  planParts,
  planPut,
  proofsOf,
  proofsOfCopied,
  publicSums,
  sameCrcs,
  sameDigest,
  sameEtag,
  sameMd5,
  sumsOfParts,
  sumText,
  SUM_WORDS,
  timePinOf,
  trustedHead,
  unquoted,
  weighCopied,
  weighParts,
  weighWritten,
}
