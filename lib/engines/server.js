'use strict'

/**
 * The engine `server`: the destination's store copies by itself. The bytes pass neither this machine nor a function. A task is
 * one control call.
 */

const { abortReason, asXferError, throwIfAborted } = require('../errors')
const { UNLIMITED } = require('./common')

/** @typedef {import('../types').Engine} Engine */
/** @typedef {import('../types').Task} Task */
/** @typedef {import('../types').Outcome} Outcome */

/**
 * @typedef {object} Copier
 * @property {(part: any, options: import('../stores/contract').CallOptions) => Promise<{ etag: string, sums?: import('../types').Sums, answered?: import('../types').Sums }>} part
 * @property {import('../types').ServerCopy['object']} [object] absent if no task is of a whole object
 */

/** Concurrent copies. Each needs one connection; only the store works. */
const MOST_CALLS = 100

const MiB = 1024 ** 2

/**
 * @param {Copier} serverCopy of the destination's store
 * @param {string} where the store's endpoint, for messages
 * @param {() => number} [now]
 * @returns {Engine} for tasks with `copy`
 */
function createServerEngine(serverCopy, where, now = Date.now) {
  /** @param {Task} task @param {AbortSignal | undefined} signal @returns {Promise<Outcome>} */
  async function play({ partNumber, bytes, copy }, signal) {
    const startedAtMs = now()
    const timing = () => ({ startedAtMs, firstByteMs: 0, totalMs: now() - startedAtMs })
    try {
      if (copy && 'part' in copy) {
        const { etag, sums = {}, answered } = await serverCopy.part(copy.part, { signal })
        return { partNumber, bytes, etag, sums, ...(answered && { answered }), timing: timing() }
      }
      const { object: whole } = /** @type {{ object: import('../types').ObjectCopy }} */ (copy)
      const object = await /** @type {Required<Copier>} */ (serverCopy).object(whole, { signal })
      return { partNumber, bytes, etag: object.etag, sums: {}, object, timing: timing() }
    } catch (cause) {
      const known = asXferError(cause)
      return { partNumber, error: { code: 'HTTP_STATUS', side: 'write', message: known.message, known } }
    }
  }

  return {
    name: 'server',
    where,
    reach: 'network',
    runsOn: 'store',
    // Closing the connection does not stop the store.
    can: { cancel: false, pace: false, progress: false, once: true },
    partBytes: { usual: 32 * MiB, least: 8 * MiB },

    async limits() {
      return { ...UNLIMITED, concurrent: MOST_CALLS }
    },

    async run(tasks, { signal } = {}) {
      throwIfAborted(signal)
      const outcomes = await Promise.all(tasks.map(task => play(task, signal)))
      if (signal?.aborted) throw abortReason(signal)
      return outcomes
    },

    async close() {},
  }
}

module.exports = { createServerEngine }
