'use strict'

/** The limits of a job's stores: one for each store, for all requests to it. Pure. */

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
  /** The side that refused last, if one store is both sides. @type {Side} */
  let last = 'source'

  /** What waits for the platform's quota. @type {Set<() => { perMinute?: number } | undefined>} */
  const quotas = new Set()

  /** The last reported number of invocations in flight. */
  let known = { inFlight: 0, most: 0 }

  return {
    outages,

    /** The number that may be in flight; Infinity if neither store has refused anything, 0 during an outage. */
    current: () => (outages?.holding() ? 0 : Math.min(...all.map(limit => limit.current()))),

    /** @param {Side} side */
    of: side => limits[side],

    /** @param {Side} side @param {Parameters<typeof source.refused>[0]} signal @returns {number} milliseconds for which nothing is to start */
    refused(side, signal) {
      last = side
      return limits[side].refused(signal)
    },

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
      if (others === 0) return
      last = side
      limits[side].refused({ nowMs, others, most, retryAfterMs })
    },

    /** @param {number} inFlight @param {number} most in flight without limits */
    underWay(inFlight, most) {
      known = { inFlight, most }
    },

    /**
     * @param {{ nowMs: number, inFlight: number, most: number }} situation as of the limits
     * @param {Side[]} [but] the sides that refused something
     */
    answered({ nowMs, inFlight, most }, but = []) {
      const refusing = but.map(side => limits[side])
      for (const limit of all) if (!refusing.includes(limit)) limit.answered({ nowMs, inFlight, most })
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
      const sides = same ? [last] : /** @type {Side[]} */ (['source', 'destination'])
      const known = sides.map(store => ({ store, limit: limits[store].current() }))
      const slowed = known.filter(({ limit }) => limit < Number.POSITIVE_INFINITY)
      const away = outages?.told() ?? []
      const [waiting] = [...quotas].map(waits => waits()).filter(found => found !== undefined)
      return { ...(slowed.length > 0 && { slowed }), ...(away.length > 0 && { away }), ...(waiting && { waiting }) }
    },
  }
}

/** The store that throttles, according to an error; undefined if it is another error. @param {import('../../types').XferError} error @returns {Side | undefined} */
function refusingSide({ code, facts: { side } }) {
  return code === 'STORE_THROTTLED' ? side : undefined
}

module.exports = { createPressure, refusingSide }
