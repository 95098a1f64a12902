'use strict'

/** Reports to the room for outages what invocations show: that a store or the platform answers, or may be away. */

/** @typedef {import('./items').Flight} Flight */

const SIDES = /** @type {const} */ (['source', 'destination'])

/**
 * @param {import('../outage').Outages | undefined} outages
 * @param {AbortSignal} closing aborted once nothing more starts: an outage does not matter then
 */
function createWitness(outages, closing) {
  return {
    /**
     * Notes that the platform answered, and the stores too if a part was copied.
     *
     * @param {import('../types').Task[]} tasks
     * @param {import('../types').Outcome[]} outcomes
     * @param {Flight} flight
     * @returns {import('../types').Outcome[]} the same
     */
    heard(tasks, outcomes, { startedMs }) {
      outages?.answered('platform', startedMs)
      // A task without a write shows nothing about one of the stores.
      const worked = outcomes.some((outcome, i) => !('error' in outcome) && (tasks[i].write || tasks[i].copy))
      if (worked) for (const side of SIDES) outages?.answered(side, startedMs)
      return outcomes
    },

    /** Whether a probe may have to find out whether it was an outage. @param {import('../types').XferError} error */
    doubts: error => outages !== undefined && error.shared,

    /**
     * Whether a failure was caused by an outage. Probes if that is not known.
     *
     * @param {import('../types').XferError} error for which `doubts` is true
     * @param {Flight} flight that failed with it
     * @returns {Promise<boolean>} also true once nothing more starts
     */
    async excuses(error, { startedMs }) {
      const asked = /** @type {import('../outage').Outages} */ (outages)
      return await asked.excuses(error, startedMs, closing).catch(() => true)
    },
  }
}

module.exports = { createWitness }
