'use strict'

/**
 * Some stores refuse an optional element of CompleteMultipartUpload with 501 (NotImplemented), mostly without saying which
 * one. So the request is repeated, first without one element at a time, then without more and more of them.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
 */

/** @typedef {import('../../types').XferError} XferError */
/** @typedef {Record<string, any>} Input members of CompleteMultipartUpload */
/** @typedef {'size' | 'checksum' | 'type' | 'parts'} Extra */

/** The element whose omission loses no evidence comes first. @type {Extra[]} */
const EXTRAS = ['size', 'checksum', 'type', 'parts']
/** Refusals of a request that lacks a required element: the element left out was not the reason. */
const INCOMPLETE = new Set(['InvalidRequest', 'InvalidArgument', 'MalformedXML', 'NotImplemented'])

/**
 * The result is remembered for the store, and so for all objects of a job.
 *
 * @returns {(input: Input, call: (input: Input) => Promise<any>) => Promise<any>} resolves to what `call` resolves to
 * @throws {XferError} the first refusal, if leaving elements out did not help; else the error of `call` without them
 */
function createCompletionAsking() {
  /** @type {Extra[]} */
  let omitted = []

  return async (input, call) => {
    try {
      return await call(without(input, omitted))
    } catch (cause) {
      const refusal = /** @type {XferError} */ (cause)
      if (!isNotImplemented(refusal)) throw refusal
      for (const extras of attemptsOf(input, omitted)) {
        try {
          const output = await call(without(input, extras))
          omitted = extras
          return output
        } catch (next) {
          const error = /** @type {XferError} */ (next)
          if (isStillRefused(error)) continue
          // Another error: the store accepts the request as such.
          omitted = extras
          throw error
        }
      }
      throw refusal
    }
  }
}

/**
 * @param {Input} input
 * @param {Extra[]} omitted elements left out already
 * @returns {Extra[][]} sets of elements to leave out, each tried once
 */
function attemptsOf(input, omitted) {
  const there = EXTRAS.filter(extra => !omitted.includes(extra) && has(input, extra))
  const single = there.map(extra => [...omitted, extra])
  const together = there.slice(1).map((_, i) => [...omitted, ...there.slice(0, i + 2)])
  return [...single, ...together]
}

/** @param {Input} input @param {Extra} extra */
function has(input, extra) {
  return without(input, [extra]) !== input
}

/** @param {Input} input @param {Extra[]} extras @returns {Input} the same object if it has none of them */
function without(input, extras) {
  return extras.reduce((rest, extra) => OMIT[extra](rest), input)
}

/** @type {Record<Extra, (input: Input) => Input>} */
const OMIT = {
  size: input => omit(input, 'MpuObjectSize'),
  checksum: input => omit(input, 'ChecksumCRC32'),
  type: input => omit(input, 'ChecksumType'),
  parts(input) {
    /** @type {Input[]} */
    const parts = input.MultipartUpload.Parts
    if (!parts.some(part => 'ChecksumCRC32' in part)) return input
    return { ...input, MultipartUpload: { Parts: parts.map(part => omit(part, 'ChecksumCRC32')) } }
  },
}

/** @param {Input} input @param {string} name @returns {Input} */
function omit(input, name) {
  if (!(name in input)) return input
  const { [name]: _, ...rest } = input
  return rest
}

/** @param {XferError} error */
function isNotImplemented({ code, facts }) {
  return code === 'STORE_REFUSED' && facts.status === 501
}

/** @param {XferError} error */
function isStillRefused(error) {
  return isNotImplemented(error) || (error.code === 'STORE_REFUSED' && INCOMPLETE.has(error.facts.storeCode))
}

module.exports = { createCompletionAsking }
