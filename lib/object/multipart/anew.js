'use strict'

/** Failures of an upload that another one may not have: a part of it is damaged, and nothing else is wrong. */

/** Refusals of a completion that have nothing to do with the bytes. */
const OF_THE_REQUEST = new Set([
  ...['EntityTooSmall', 'InvalidPartOrder', 'MalformedXML', 'InvalidArgument', 'InvalidStorageClass'],
  ...['TooManyParts', 'InvalidTag', 'InvalidBucketName', 'KeyTooLongError', 'IllegalLocationConstraintException'],
])

/** @param {import('../../types').XferError} error */
function isAnew({ code, facts }) {
  if (code === 'PART_NOT_REPLACED') return true
  if (facts.operation !== 'CompleteMultipartUpload') return false
  return (
    code === 'INTEGRITY' || (code === 'STORE_REFUSED' && facts.status === 400 && !OF_THE_REQUEST.has(facts.storeCode))
  )
}

module.exports = { isAnew }
