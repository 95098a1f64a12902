'use strict'

/** @typedef {import('../../types').XferError} XferError */

/**
 * Calls a store with parameters for checksums, and again without them if it refuses. Some stores refuse unknown parameters
 * (Backblaze B2). The result is remembered for the store.
 *
 * @returns {(
 *   input: Record<string, unknown>, checksums: Record<string, unknown>, call: (input: Record<string, unknown>) => Promise<any>,
 *   explainRefusal?: (error: XferError) => Promise<never>
 * ) => Promise<any>} checksums: the parameters for checksums
 */
function createChecksumAsking() {
  let takesChecksums = true
  return async (input, checksums, call, explainRefusal) => {
    if (!takesChecksums || Object.keys(checksums).length === 0) return await call(input).catch(explainRefusal)
    try {
      return await call({ ...input, ...checksums })
    } catch (cause) {
      const refusal = /** @type {XferError} */ (cause)
      const { status } = refusal.facts
      if (refusal.code !== 'STORE_REFUSED' || (status !== 400 && status !== 501)) {
        if (explainRefusal) return await explainRefusal(refusal)
        throw refusal
      }
      const output = await call(input).catch(explainRefusal)
      takesChecksums = false
      return output
    }
  }
}

module.exports = { createChecksumAsking }
