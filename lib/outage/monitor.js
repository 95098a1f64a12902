'use strict'

/** One store or platform: probes it while it is away, and tells those who wait for it. */

const { XferError, asXferError, factsOfCause } = require('../errors')
const { untilAborted } = require('../async')
const { createState } = require('./state')

/** A probe that takes longer is not answered. */
const PROBE_LIMIT_MS = 10_000

/** @typedef {import('../types').XferError} Failure */

/**
 * @param {object} how
 * @param {'source' | 'destination' | 'store' | 'platform'} how.name store: of both sides
 * @param {string} how.where for people
 * @param {(signal: AbortSignal) => Promise<unknown>} how.probe a small request; any answer but a failure that is `shared` counts
 * @param {number} how.timeoutMs
 * @param {(event: import('../types').OutageEvent) => void} how.emit
 * @param {() => void} how.changed it went away, or is back
 * @param {(error: Failure) => void} how.lose it was given up
 * @param {import('../types').Clock} how.clock
 * @param {() => number} how.random
 */
function createMonitor({ name, where, probe, timeoutMs, emit, changed, lose, clock, random }) {
  const state = createState({ timeoutMs })
  /** @type {Promise<void> | undefined} */
  let asking
  /** Begins once `asking` is over: of a failure that came later only a later probe can tell. @type {Promise<void> | undefined} */
  let next
  /** @type {unknown} */
  let timer
  let closed = false
  /** @type {Failure | undefined} */
  let failure
  /** Those who wait for it to be back. @type {Set<{ resolve: () => void, reject: (error: Failure) => void }>} */
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
    const limit = clock.setTimeout(() => controller.abort(), PROBE_LIMIT_MS)
    /** @type {Failure | undefined} */
    let error
    try {
      await untilAborted(probe(controller.signal), controller.signal)
    } catch (cause) {
      error = asXferError(cause)
    } finally {
      clock.clearTimeout(limit)
    }
    asking = undefined
    if (closed || failure) return
    if (error && (error.shared || controller.signal.aborted)) silent(askedMs, error)
    else answered(askedMs)
  }

  /** @returns {Promise<void>} once a probe is over that begins now or later */
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
     * @param {number} askedMs when the request was begun that failed
     * @param {AbortSignal} [signal]
     * @returns {Promise<boolean>} whether it was the peer's failure
     */
    async excuses(askedMs, signal) {
      const verdict = state.judge(askedMs)
      if (verdict !== 'ask') return verdict === 'outage'
      await untilAborted(ask(), signal)
      return state.isDown()
    },

    /** A part failed by itself. @param {Failure} error */
    failed(error) {
      const hopeless = state.failed(clock.now())
      if (!hopeless) return
      const { failures: attempts, forMs } = hopeless
      giveUp(new XferError('OUTAGE', { ...factsOfCause(error), peer: name, where, attempts, forMs }, { cause: error }))
    },

    /** @param {AbortSignal} [signal] @returns {Promise<void>} once it is back @throws {Failure} OUTAGE */
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
