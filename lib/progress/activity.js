'use strict'

/** What a job's engine and its events tell of the work, whatever is copied: invocations, repetitions, refusals. */

/** @typedef {import('../types').Engine['run']} Run */

function createActivity() {
  let inFlight = 0
  let invocations = 0
  let retried = 0
  let throttled = 0

  return {
    /** @param {Run} run @returns {Run} the same, whose invocations are counted */
    counting: run => async (tasks, options) => {
      inFlight++
      invocations++
      try {
        return await run(tasks, options)
      } finally {
        inFlight--
      }
    },

    /** @param {{ type: string }} event of whatever part or object */
    saw({ type }) {
      if (type === 'retry') retried++
      else if (type === 'throttle') throttled++
    },

    /** All is to be copied again: what was repeated and refused so far does not count. */
    restart() {
      retried = 0
      throttled = 0
    },

    counts: () => ({ inFlight, invocations, retried, throttled }),
  }
}

module.exports = { createActivity }
