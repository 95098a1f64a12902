'use strict'

/**
 * What the invocations in flight hold while there is a limit of the bandwidth: their bytes, and a share of the rate if the
 * engine cannot share it by itself. Many parts at once would all take long, and an interrupt would lose what each of them
 * has moved, so the bytes are limited. A share is for as long as the invocation runs, because nobody can tell a function
 * another one. All shares together never exceed the bandwidth, and an invocation waits until enough of it is free. Pure.
 */

/** Most functions move less. More would be kept from others for nothing. */
const MOST_EACH = 256 * 1024 ** 2

/**
 * @param {Pick<import('../types').EngineLimits, 'bandwidth' | 'bytesPerSecond' | 'bytesInFlight'>} limits what is absent is
 *   not limited
 */
function createHoldings({
  bandwidth = Number.POSITIVE_INFINITY,
  bytesPerSecond: least = bandwidth,
  bytesInFlight: most = Number.POSITIVE_INFINITY,
}) {
  /** @type {Map<object, { itsBytes: number, share: number | undefined }>} */
  const held = new Map()
  let bytes = 0
  let free = bandwidth

  /**
   * The share of an invocation that starts now: of all, among those that run or may start now; or of what is free, among
   * those that may start now, if that is more.
   *
   * @param {number} coming invocations that may start now, this one included
   * @returns {number | undefined} bytes per second; undefined if it may be as fast as it can
   */
  function shareFor(coming) {
    if (bandwidth === Number.POSITIVE_INFINITY) return undefined
    const fair = Math.max(bandwidth / (held.size + coming), free / coming)
    return Math.floor(Math.min(free, Math.max(least, Math.min(fair, MOST_EACH))))
  }

  return {
    /**
     * Whether another invocation may start: a single one always, however large it is. With far less than an even share it
     * would end long after the others.
     *
     * @param {number} slots invocations at once
     */
    isFree: slots => bytes < most && free >= Math.max(least, bandwidth / slots / 2),

    /** How many invocations of this size may start now. @param {number} each bytes */
    startable: each => (bytes < most ? Math.ceil((most - bytes) / Math.max(1, each)) : 0),

    shareFor,

    /** @param {object} invocation anything that is its own @param {number} itsBytes @param {number} coming as for `shareFor` */
    take(invocation, itsBytes, coming) {
      const share = shareFor(coming)
      held.set(invocation, { itsBytes, share })
      bytes += itsBytes
      free -= share ?? 0
    },

    /** @param {object} invocation @returns {number | undefined} its share */
    of: invocation => held.get(invocation)?.share,

    /** The invocation has ended. @param {object} invocation */
    release(invocation) {
      const { itsBytes = 0, share = 0 } = held.get(invocation) ?? {}
      bytes -= itsBytes
      free += share
      held.delete(invocation)
    },
  }
}

module.exports = { createHoldings }
