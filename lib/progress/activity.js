'use strict'

/** Counts a job's invocations, retries and throttled requests. */

/** @typedef {import('../types').Engine['run']} Run */

function createActivity() {
  let inFlight = 0
  let invocations = 0
  let retried = 0
  let throttled = 0

  return {
    /** @param {Run} run @returns {Run} the same function, which counts invocations */
    counting: run => async (tasks, options) => {
      inFlight++
      invocations++
      try {
        return await run(tasks, options)
      } finally {
        inFlight--
      }
    },

    /** @param {{ type: string }} event of any part or object */
    saw({ type }) {
      if (type === 'retry') retried++
      else if (type === 'throttle') throttled++
    },

    /** Everything is copied again: resets the counts of retries and throttling. */
    restart() {
      retried = 0
      throttled = 0
    },

    counts: () => ({ inFlight, invocations, retried, throttled }),
  }
}

module.exports = { createActivity }
