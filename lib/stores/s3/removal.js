'use strict'

/** Many objects deleted at once, where the store can; one by one where it cannot. */

const { asXferError } = require('../../errors')
const { UNSIGNED_PAYLOAD } = require('./signer')

/** XML cannot carry them, and a document with them in it is refused as a whole. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\ufffe\uffff]/
/** How many single requests are out at once. */
const ONE_BY_ONE = 16

/** @typedef {{ key: string, code: string, message: string }} Refused */

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
 *
 * @param {Pick<ReturnType<typeof import('./control').createControl>, 'call'>} control
 * @returns {import('../../types').Store['removeAll']}
 */
function createRemoval({ call }) {
  let takesMany = true

  /** @param {string[]} keys @param {AbortSignal | undefined} signal @returns {Promise<Refused[]>} */
  async function many(keys, signal) {
    const Delete = { Objects: keys.map(Key => ({ Key })), Quiet: true }
    // The SDK's signer takes all text for headers, whose characters stand for bytes; keys are not ASCII alone.
    const headers = { 'x-amz-content-sha256': UNSIGNED_PAYLOAD }
    const output = await call('DeleteObjects', { Delete }, signal, headers)
    return (output.Errors ?? []).map((/** @type {any} */ error) => ({
      key: error.Key,
      code: error.Code ?? 'STORE_REFUSED',
      message: error.Message ?? error.Code ?? 'The store refused to delete it.',
    }))
  }

  /** @param {string} key @param {AbortSignal | undefined} signal @returns {Promise<Refused[]>} */
  async function one(key, signal) {
    try {
      await call('DeleteObject', { Key: key }, signal)
      return []
    } catch (cause) {
      const { code, message, retryable, throttled } = asXferError(cause)
      if (retryable || throttled || signal?.aborted) throw cause
      return code === 'NO_SUCH_KEY' ? [] : [{ key, code, message }]
    }
  }

  return async (keys, { signal } = {}) => {
    const single = takesMany ? keys.filter(key => NOT_IN_XML.test(key)) : keys
    const together = takesMany ? keys.filter(key => !NOT_IN_XML.test(key)) : []
    /** @type {Refused[]} */
    const refused = []
    if (together.length > 0) {
      try {
        refused.push(...(await many(together, signal)))
      } catch (error) {
        // Some want an MD5 of the list that nobody sends any more, and some do not know the request.
        if (asXferError(error).code !== 'STORE_REFUSED') throw error
        takesMany = false
        single.push(...together)
      }
    }
    for (let at = 0; at < single.length; at += ONE_BY_ONE) {
      const batch = single.slice(at, at + ONE_BY_ONE)
      refused.push(...(await Promise.all(batch.map(key => one(key, signal)))).flat())
    }
    return refused
  }
}

module.exports = { createRemoval }
