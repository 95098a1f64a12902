'use strict'

/** The limits of a job's stores: one for each store, for all requests to it. Pure. */

const { createAdaptiveLimit } = require('./adaptive-limit')

/** @typedef {'source' | 'destination'} Side */
/** @typedef {ReturnType<typeof createPressure>} Pressure */
/** @typedef {ReturnType<typeof createAdaptiveLimit>} Limit */

/**
 * @param {{ same?: boolean, outages: import('../outage').Outages, random: () => number }} how same: both sides are one store;
 *   outages: of the stores and the platform
 */
function createPressure({ same = false, outages, random }) {
  const source = createAdaptiveLimit(random)
  const limits = { source, destination: same ? source : createAdaptiveLimit(random) }
  /** What waits for the platform's quota. @type {Set<() => { perMinute?: number } | undefined>} */
  const quotas = new Set()
  /** The last reported number of invocations in flight. */
  let known = { inFlight: 0, most: 0 }

  return {
    outages,

    /** The number that may be in flight; Infinity if neither store has refused anything, 0 during an outage. */
    current: () => (outages.holding() ? 0 : Math.min(source.current(), limits.destination.current())),

    /** @param {Side} side */
    of: side => limits[side],

    /**
     * A request was refused that is not for a part of the copy. If no part is in flight, that does not show how many the
     * store would accept.
     *
     * @param {Side} side
     * @param {number} nowMs
     * @param {number} [retryAfterMs]
     */
    refusedElsewhere(side, nowMs, retryAfterMs) {
      const { inFlight: others, most } = known
      if (others > 0) limits[side].refused({ nowMs, others, most, retryAfterMs })
    },

    /** @param {number} inFlight @param {number} most in flight without limits */
    underWay(inFlight, most) {
      known = { inFlight, most }
    },

    /** @param {Parameters<Limit['answered']>[0]} answer @param {Array<Side | undefined>} but the sides that refused something */
    answered(answer, but) {
      const refusing = but.map(side => side && limits[side])
      for (const limit of new Set(Object.values(limits))) if (!refusing.includes(limit)) limit.answered(answer)
    },

    /**
     * @param {() => { perMinute?: number } | undefined} waits the platform's quota, if something waits for it now
     * @returns {() => void} ends that
     */
    watchQuota(waits) {
      quotas.add(waits)
      return () => quotas.delete(waits)
    },

    /** For the progress: the stores that throttle, the outages, and the platform's quota if it is used up. */
    hindrances() {
      const sides = /** @type {Side[]} */ (same ? ['destination'] : ['source', 'destination'])
      const all = sides.map(store => ({ store, limit: limits[store].current() }))
      const slowed = all.filter(({ limit }) => limit < Number.POSITIVE_INFINITY)
      const away = outages.told()
      const waiting = [...quotas].map(waits => waits()).find(found => found !== undefined)
      return { ...(slowed.length > 0 && { slowed }), ...(away.length > 0 && { away }), ...(waiting && { waiting }) }
    },
  }
}

/** The store that throttles, according to an error; undefined if it is another error. @param {import('../types').XferError} error @returns {Side | undefined} */
function refusingSide({ code, facts: { side } }) {
  return code === 'STORE_THROTTLED' ? side : undefined
}

module.exports = { createPressure, refusingSide }
