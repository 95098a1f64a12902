'use strict'

/**
 * Shares the user's bandwidth among the invocations of an engine that cannot share it by itself. A share is for as long as
 * the invocation runs, because nobody can tell a function another one. So all shares together never exceed the bandwidth,
 * and an invocation waits until enough of it is free. Pure.
 */

/** Most functions move less. More would be kept from others for nothing. */
const MOST_EACH = 256 * 1024 ** 2

/**
 * @param {{ bytesPerSecond: number, least: number }} how of all invocations together; least: of one, at most `bytesPerSecond`
 */
function createBandwidth({ bytesPerSecond, least }) {
  /** @type {Map<object, number>} */
  const shares = new Map()
  let free = bytesPerSecond

  /**
   * The share of an invocation that starts now: of all, among those that run or may start now; or of what is free, among
   * those that may start now, if that is more.
   *
   * @param {number} coming invocations that may start now, this one included
   */
  function shareFor(coming) {
    const fair = Math.max(bytesPerSecond / (shares.size + coming), free / coming)
    return Math.floor(Math.min(free, Math.max(least, Math.min(fair, MOST_EACH))))
  }

  return {
    /**
     * Whether another invocation may start. With far less than an even share it would end long after the others.
     *
     * @param {number} slots invocations at once
     */
    isFree: slots => free >= Math.max(least, bytesPerSecond / slots / 2),

    shareFor,

    /** @param {object} invocation anything that is its own @param {number} coming as for `shareFor` */
    take(invocation, coming) {
      const share = shareFor(coming)
      shares.set(invocation, share)
      free -= share
    },

    /** @param {object} invocation @returns {number | undefined} bytes per second */
    of: invocation => shares.get(invocation),

    /** The invocation has ended. @param {object} invocation */
    release(invocation) {
      free += shares.get(invocation) ?? 0
      shares.delete(invocation)
    },
  }
}

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

module.exports = { createBandwidth, createInFlight }
