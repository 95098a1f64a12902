'use strict'

/**
 * Whether the destination is known to check the CRC-32 that goes with the bytes: what it takes then is proved, and needs no
 * look. A PUT is believed of stores alone that are known by their host or name, for a PUT cannot be tried: it would make a
 * version, an event, or meet a lock. Of the parts of uploads it is found out, once a job.
 */

const { checksCrc32 } = require('../integrity')
const { seeWhetherItChecks } = require('./canary')

/** @typedef {ReturnType<typeof createTrust>} Trust */
/** @typedef {Pick<import('../types').JobJournal, 'write' | 'uploads'>} Journal */

/** @type {Journal} */
const NOWHERE = { async write() {}, uploads: async () => [] }

/**
 * @param {import('../types').Store} store of the destination, once it has answered
 * @param {{ retries?: number, emit?: (event: import('../types').Notice) => void }} [how] retries: of a request that is sent to find it out
 */
function createTrust(store, { retries = 0, emit = () => {} } = {}) {
  /** @type {Promise<boolean> | undefined} */
  let asked
  let found = true

  /** @type {Promise<boolean> | undefined} */
  let named

  /** @param {{ prefix: string, signal?: AbortSignal }} place */
  async function learnName({ prefix, signal }) {
    if (checksCrc32(store)) return true
    // Whatever it answers, it says its name.
    await store.list({ prefix, most: 1 }, { signal }).catch(error => {
      if (signal?.aborted) throw error
    })
    return checksCrc32(store)
  }

  return {
    /**
     * As `put`, before the destination has answered anything: one request a job, and none to stores that are known by their host.
     *
     * @param {{ prefix: string, signal?: AbortSignal }} place
     * @returns {Promise<boolean>}
     */
    async known(place) {
      named ??= learnName(place)
      return await named
    },

    /** Of a PUT of an object, with or without a Content-Encoding. */
    put: () => checksCrc32(store),

    /**
     * Of the parts of an upload. Where the store is not known an upload of a few bytes is begun to find it out, and aborted:
     * canary.js. Others who ask meanwhile wait for the same.
     *
     * @param {{ key: string, journal?: Journal, ours?: string[], signal?: AbortSignal }} place key: of an object that is to be
     *   written; journal: of its copy; ours: ids of uploads of the key that no journal names yet
     * @returns {Promise<boolean>}
     */
    async part({ key, journal = NOWHERE, ours = [], signal }) {
      if (checksCrc32(store)) return true
      asked ??= seeWhetherItChecks({ store, key, journal, ours, retries, emit, signal })
      found = await asked
      return found
    },

    /** Whether it was found out already that checksums of parts are not checked. */
    parts: () => (checksCrc32(store) ? true : found),
  }
}

module.exports = { createTrust }
