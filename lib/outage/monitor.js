'use strict'

/** Watches one store or platform: probes it while it is down, and releases its waiters when it is back. */

const { XferError, asXferError, factsOfCause } = require('../errors')
const { untilAborted } = require('../async')
const { createState } = require('./state')

/** A probe that takes longer counts as unanswered. The time until the monitor gives up shortens this, down to the least. */
const PROBE_LIMIT_MS = 10_000
const LEAST_PROBE_LIMIT_MS = 500

/** @typedef {import('../types').XferError} Failure */

/**
 * @param {object} how
 * @param {'source' | 'destination' | 'store' | 'platform'} how.name `store` when it serves both sides
 * @param {string} how.where its address, for messages
 * @param {(signal: AbortSignal) => Promise<unknown>} how.probe sends a small request; every answer counts except a failure that is `shared`
 * @param {number} how.timeoutMs
 * @param {(event: import('../types').OutageNews) => void} how.emit
 * @param {() => void} how.changed called when it goes down or comes back
 * @param {(error: Failure) => void} how.lose called when the monitor gives up
 * @param {import('../types').Clock} how.clock
 * @param {() => number} how.random
 */
function createMonitor({ name, where, probe, timeoutMs, emit, changed, lose, clock, random }) {
  const state = createState({ timeoutMs })
  /** @type {Promise<void> | undefined} */
  let asking
  /** Starts after `asking`: only a later probe can judge a failure that came after that one began. @type {Promise<void> | undefined} */
  let next
  /** @type {unknown} */
  let timer
  let closed = false
  /** @type {Failure | undefined} */
  let failure
  /** The newest failure of a request that may be an outage: the reason that is given where a probe is not answered. @type {Failure | undefined} */
  let suspect
  /** Callers that wait until it is back. @type {Set<{ resolve: () => void, reject: (error: Failure) => void }>} */
  const waiting = new Set()

  /** @param {(waiter: { resolve: () => void, reject: (error: Failure) => void }) => void} tell */
  function release(tell) {
    for (const waiter of waiting) tell(waiter)
    waiting.clear()
  }

  /** @param {Failure} error */
  function giveUp(error) {
    failure = error
    release(({ reject }) => reject(error))
    lose(error)
  }

  /** @param {number} askedMs */
  function answered(askedMs) {
    const ended = state.answered(askedMs, clock.now())
    if (!ended) return
    clock.clearTimeout(timer)
    release(({ resolve }) => resolve())
    if (ended.told) emit({ type: 'outage', peer: name, where, forMs: ended.forMs, over: true })
    changed()
  }

  /** @param {number} askedMs @param {Failure} error */
  function silent(askedMs, error) {
    const fresh = !state.isDown()
    const { forMs, tell, lost } = state.silent(askedMs, clock.now())
    if (lost) {
      giveUp(new XferError('OUTAGE', { ...factsOfCause(error), peer: name, where, forMs }, { cause: error }))
      return changed()
    }
    const { code, message } = error
    if (tell) emit({ type: 'outage', peer: name, where, code, message, forMs, over: false })
    clock.clearTimeout(timer)
    timer = clock.setTimeout(ask, state.probeInMs(clock.now(), random()))
    if (fresh) changed()
  }

  async function request() {
    const askedMs = clock.now()
    const controller = new AbortController()
    const limitMs = Math.max(LEAST_PROBE_LIMIT_MS, Math.min(PROBE_LIMIT_MS, state.leftMs(askedMs)))
    const limit = clock.setTimeout(() => controller.abort(), limitMs)
    /** @type {Failure | undefined} */
    let error
    try {
      await untilAborted(probe(controller.signal), controller.signal)
    } catch (cause) {
      // Its own limit is no interrupt of the user's.
      error = (controller.signal.aborted && suspect) || asXferError(cause)
    } finally {
      clock.clearTimeout(limit)
    }
    asking = undefined
    if (closed || failure) return
    if (error && (error.shared || controller.signal.aborted)) silent(askedMs, error)
    else answered(askedMs)
  }

  /** @returns {Promise<void>} resolves after a probe that begins now or later */
  function ask() {
    if (!asking) {
      asking = request()
      return asking
    }
    next ??= asking.then(() => {
      next = undefined
      return state.isDown() ? undefined : ask()
    })
    return next
  }

  return {
    name,
    isDown: state.isDown,
    downMs: () => state.downMs(clock.now()),
    answered,
    worked: state.worked,

    /**
     * @param {Failure} error of a request
     * @param {number} askedMs when that request began
     * @param {AbortSignal} [signal]
     * @returns {Promise<boolean>} whether the peer is down, and so the cause
     */
    async excuses(error, askedMs, signal) {
      suspect = error
      const verdict = state.judge(askedMs)
      if (verdict !== 'ask') return verdict === 'outage'
      await untilAborted(ask(), signal)
      return state.isDown()
    },

    /** Reports a failed part that no outage caused. @param {Failure} error */
    failed(error) {
      const hopeless = state.failed(clock.now())
      if (!hopeless) return
      const { failures: attempts, forMs } = hopeless
      giveUp(new XferError('OUTAGE', { ...factsOfCause(error), peer: name, where, attempts, forMs }, { cause: error }))
    },

    /** @param {AbortSignal} [signal] @returns {Promise<void>} resolves when it is back @throws {Failure} OUTAGE */
    async up(signal) {
      if (failure) throw failure
      if (!state.isDown() || closed) return
      /** @type {any} */
      let waiter
      const back = new Promise((resolve, reject) => {
        waiter = { resolve: () => resolve(undefined), reject }
        waiting.add(waiter)
      })
      try {
        await untilAborted(back, signal)
      } finally {
        waiting.delete(waiter)
      }
    },

    close() {
      closed = true
      clock.clearTimeout(timer)
      release(({ resolve }) => resolve())
    },
  }
}

module.exports = { createMonitor }
