'use strict'

/** What invocations tell of the stores and the platform: that they are there, or that they may be away. */

/** @typedef {import('./items').Flight} Flight */

const SIDES = /** @type {const} */ (['source', 'destination'])

/**
 * @param {import('../outage').Outages | undefined} outages
 * @param {AbortSignal} closing nothing more starts: whether there is an outage is of no interest then
 */
function createWitness(outages, closing) {
  return {
    /**
     * Who has answered is there.
     *
     * @param {import('../types').Task[]} tasks
     * @param {import('../types').Outcome[]} outcomes
     * @param {Flight} flight
     * @returns {import('../types').Outcome[]} the same
     */
    heard(tasks, outcomes, { startedMs }) {
      outages?.answered('platform', startedMs)
      // One without a write says nothing of one of the stores.
      const worked = outcomes.some((outcome, i) => !('error' in outcome) && (tasks[i].write || tasks[i].copy))
      if (worked) for (const side of SIDES) outages?.answered(side, startedMs)
      return outcomes
    },

    /** Whether a probe may have to tell whose failure it is. @param {import('../types').XferError} error */
    doubts: error => outages !== undefined && error.shared,

    /**
     * Whether a failure is that of an outage, and no part's. Asks for a probe where that is not known.
     *
     * @param {import('../types').XferError} error of which there are doubts
     * @param {Flight} flight that met it
     * @returns {Promise<boolean>} true, too, once nothing more starts
     */
    async excuses(error, { startedMs }) {
      const asked = /** @type {import('../outage').Outages} */ (outages)
      return await asked.excuses(error, startedMs, closing).catch(() => true)
    },
  }
}

module.exports = { createWitness }
