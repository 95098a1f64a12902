'use strict'

/**
 * Whether the destination is known to check the CRC-32 that goes with the bytes: what it takes then is proved, and needs no
 * look. A PUT is believed of stores alone that are known by their host or name, for a PUT cannot be tried: it would make a
 * version, an event, or meet a lock.
 */

/** @typedef {ReturnType<typeof createTrust>} Trust */

/** @param {import('../types').Store} store of the destination, once it has answered */
function createTrust(store) {
  return {
    /** Of a PUT of an object, with or without a Content-Encoding. */
    put: () => store.checks(),

    /**
     * Of the parts of an upload.
     *
     * @param {{ key: string, signal?: AbortSignal }} _place
     */
    part: async _place => store.checks(),
  }
}

module.exports = { createTrust }
