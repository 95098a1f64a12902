'use strict'

/**
 * Whether the destination is known to check the CRC-32 sent with the bytes. If it does, an accepted write proves the bytes, and
 * no verification read is needed. For a PUT only stores known by host or server name are trusted. A trial PUT is not possible:
 * it would create a version or an event, or meet a lock. For parts of uploads a trial is made, once per job.
 */

const { checksCrc32 } = require('../integrity')

/** @typedef {ReturnType<typeof createTrust>} Trust */
/** @typedef {Pick<import('../types').JobJournal, 'write' | 'uploads'>} Journal */

/** @type {Journal} */
const NOWHERE = { async write() {}, uploads: async () => [] }

/**
 * @param {import('../types').Store} store of the destination, after its first answer
 * @param {{ retries?: number, emit?: (event: import('../types').Notice) => void }} [how] retries: for each request of the trial
 */
function createTrust(store, { retries = 0, emit = () => {} } = {}) {
  /** @type {Promise<boolean> | undefined} */
  let asked
  /** @type {Promise<unknown> | undefined} */
  let named

  /**
   * As `put`, but works before the destination has answered: makes one request per job, and none if the host is known.
   * Every answer has the server's name, whether it succeeds or not.
   *
   * @param {{ prefix: string, signal?: AbortSignal }} place
   * @returns {Promise<boolean>}
   */
  async function known({ prefix, signal }) {
    if (store.named?.() === false) {
      named ??= Promise.resolve(store.list?.({ prefix, most: 1 }, { signal })).catch(error => {
        if (signal?.aborted) throw error
      })
      await named
    }
    return checksCrc32(store)
  }

  return {
    known,

    /** Whether the store checks a PUT of an object, with or without a Content-Encoding. */
    put: () => checksCrc32(store),

    /**
     * Whether the store checks parts of uploads. For an unknown store a small upload is created, tried and aborted: see
     * canary.js. Concurrent callers wait for the same trial.
     *
     * @param {{ key: string, journal?: Journal, signal?: AbortSignal }} place key: of an object that will be
     *   written; journal: of its copy
     * @returns {Promise<boolean>}
     */
    async part({ key, journal = NOWHERE, signal }) {
      if (await known({ prefix: key, signal })) return true
      asked ??= require('./canary').probeChecking({ store, key, journal, retries, emit, signal })
      return await asked
    },
  }
}

module.exports = { createTrust }
