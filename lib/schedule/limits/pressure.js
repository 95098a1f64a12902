'use strict'

/** What the stores of a job bear, of all that asks them: one limit a store, whoever of its requests was refused. Pure. */

const { createStoreLimit } = require('./store-limit')

/** @typedef {'source' | 'destination'} Side */
/** @typedef {ReturnType<typeof createPressure>} Pressure */

/**
 * @param {{ same?: boolean, outages?: import('../../outage').Outages, random: () => number }} how same: both sides are one store;
 *   outages: of the stores and the platform
 */
function createPressure({ same = false, outages, random }) {
  const source = createStoreLimit(random)
  const limits = { source, destination: same ? source : createStoreLimit(random) }
  const all = [...new Set(Object.values(limits))]
  /** Which side of a store that is both refused last. @type {Side} */
  let last = 'source'

  /** What there is under way, as far as it was told. */
  let known = { inFlight: 0, most: 0 }

  return {
    outages,

    /** What may be under way at once; Infinity where neither has refused anything, 0 while anything does not answer at all. */
    current: () => (outages?.holding() ? 0 : Math.min(...all.map(limit => limit.current()))),

    /** @param {Side} side */
    of: side => limits[side],

    /** @param {Side} side @param {Parameters<typeof source.refused>[0]} signal @returns {number} milliseconds for which nothing is to start */
    refused(side, signal) {
      last = side
      return limits[side].refused(signal)
    },

    /**
     * A request was refused that is none of the copy's parts. Where none of those is under way it says nothing of how
     * many would be borne.
     *
     * @param {Side} side
     * @param {number} nowMs
     * @param {number} [retryAfterMs]
     */
    refusedElsewhere(side, nowMs, retryAfterMs) {
      const { inFlight: others, most } = known
      if (others === 0) return
      last = side
      limits[side].refused({ nowMs, others, most, retryAfterMs })
    },

    /** @param {number} inFlight @param {number} most at once, that there would be */
    underWay(inFlight, most) {
      known = { inFlight, most }
    },

    /**
     * @param {{ nowMs: number, inFlight: number, most: number }} situation as of the limits
     * @param {Side[]} [but] those that have refused some of it
     */
    answered({ nowMs, inFlight, most }, but = []) {
      const refusing = but.map(side => limits[side])
      for (const limit of all) if (!refusing.includes(limit)) limit.answered({ nowMs, inFlight, most })
    },

    /** For the progress: stores that are asked for less than they would be, and what does not answer at all. */
    hindrances() {
      const sides = same ? [last] : /** @type {Side[]} */ (['source', 'destination'])
      const known = sides.map(store => ({ store, limit: limits[store].current() }))
      const slowed = known.filter(({ limit }) => limit < Number.POSITIVE_INFINITY)
      const away = outages?.told() ?? []
      return { ...(slowed.length > 0 && { slowed }), ...(away.length > 0 && { away }) }
    },
  }
}

/** The store that an error says asks for fewer requests; undefined where it says another thing. @param {import('../../types').XferError} error @returns {Side | undefined} */
function refusingSide({ code, facts: { side } }) {
  return code === 'STORE_THROTTLED' ? side : undefined
}

module.exports = { createPressure, refusingSide }
