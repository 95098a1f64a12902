'use strict'

/**
 * Limits the bytes in flight. With a limit of the bandwidth many parts at once would all take long, and an interrupt would
 * lose what each of them has moved. Pure.
 */

/**
 * @param {{ most: number }} how bytes; nothing more starts while so many are in flight
 */
function createInFlight({ most }) {
  /** @type {Map<object, number>} */
  const taken = new Map()
  let bytes = 0

  return {
    /** Whether another invocation may start. A single one always may, however large it is. */
    isFree: () => bytes < most,

    /** How many invocations of this size may start now. @param {number} each bytes */
    startable: each => (bytes < most ? Math.ceil((most - bytes) / Math.max(1, each)) : 0),

    /** @param {object} invocation anything that is its own @param {number} itsBytes */
    take(invocation, itsBytes) {
      taken.set(invocation, itsBytes)
      bytes += itsBytes
    },

    /** The invocation has ended. @param {object} invocation */
    release(invocation) {
      bytes -= taken.get(invocation) ?? 0
      taken.delete(invocation)
    },
  }
}

module.exports = { createInFlight }
