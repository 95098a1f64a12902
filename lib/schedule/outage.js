'use strict'

/**
 * Outages of the peers that a job uses: source, destination, platform. The scheduler and the control calls share one
 * monitor for each peer: they report answers to it and ask it about failures. The monitor probes a peer that does not
 * answer, with back-off, and reports when it is back. During an outage nothing starts, and no attempt is counted.
 *
 * A failure that all users of a peer may share (a refused connection, a cut, a 5xx, an unknown host name) means an outage if a
 * small probe request fails in the same way. Otherwise only that request failed. Clock and random numbers are arguments.
 */

const { systemClock, untilAborted } = require('../async')
const { XferError, asXferError, factsOfCause } = require('../errors')

/** A probe that takes longer counts as unanswered. The time until the monitor gives up shortens this, down to the least. */
const PROBE_LIMIT_MS = 10_000
const LEAST_PROBE_LIMIT_MS = 500
/** The pause before the first probe; it doubles with each probe, up to the limit. */
const FIRST_PROBE_MS = 250
const MOST_PROBE_MS = 5_000
/** How long after its beginning an outage is reported; after the last of these, every minute. */
const TELL_AT_MS = [1_000, 5_000, 10_000, 20_000, 30_000, 60_000]
const TELL_EVERY_MS = 60_000
/** How many requests in a row may fail while the probe is answered, before the time limit counts for them too. */
const MANY = 100

/** @typedef {import('../types').XferError} XferError */
/** @typedef {'source' | 'destination' | 'platform'} Peer */
/** @typedef {ReturnType<typeof createOutages>} Outages */
/** changed: the value of `holding` may have changed; lost: the job gives up waiting for a peer @typedef {{ changed: () => void, lost: (error: XferError) => void }} Listener */

/**
 * @param {object} how
 * @param {number} how.timeoutMs how long to wait for the end of an outage, `--outage-timeout`
 * @param {(event: import('../types').OutageNews) => void} how.emit
 * @param {import('../types').Clock} [how.clock]
 * @param {() => number} [how.random] default: pauses are not varied
 */
function createOutages({ timeoutMs, emit, clock = systemClock, random = () => 1 }) {
  /** @type {Map<Peer, ReturnType<typeof createMonitor>>} */
  const monitors = new Map()
  /** @type {Set<Listener>} */
  const listeners = new Set()

  /** Each monitor once. @type {Array<ReturnType<typeof createMonitor>>} */
  const all = []
  /** @param {XferError} error */
  const of = error => (error.shared ? monitors.get(error.facts.side ?? 'platform') : undefined)

  return {
    /**
     * @param {Peer[]} peers all of them the same server
     * @param {{ where: string, probe: (signal: AbortSignal) => Promise<unknown> }} how
     */
    watch(peers, { where, probe }) {
      const name = peers.length > 1 ? 'store' : peers[0]
      const monitor = createMonitor({ name, where, probe, timeoutMs, emit, listeners, clock, random })
      for (const peer of peers) monitors.set(peer, monitor)
      all.push(monitor)
    },

    /** The clock that every `askedMs` is read from. */
    now: clock.now,

    /** Whether any peer is down, so that nothing may start. */
    holding() {
      for (const { state } of all) if (state.down) return true
      return false
    },

    /** @returns {Array<{ peer: Peer | 'store', forMs: number }>} the peers that are down */
    told: () => all.filter(({ state }) => state.down).map(({ name, downMs }) => ({ peer: name, forMs: downMs() })),

    /** Reports an answer to a request that began at `askedMs`. @param {Peer} peer @param {number} askedMs */
    answered(peer, askedMs) {
      monitors.get(peer)?.answered(askedMs)
    },

    /** Reports that a part has arrived. */
    progressed() {
      for (const { state } of all) state.failures = 0
    },

    /**
     * Whether an outage caused this failure. May wait until a probe is answered.
     *
     * @param {XferError} error
     * @param {number} askedMs when the request began
     * @param {AbortSignal} [signal]
     * @returns {Promise<boolean>}
     * @throws {XferError} the signal's reason
     */
    async excuses(error, askedMs, signal) {
      return (await of(error)?.excuses(error, askedMs, signal)) ?? false
    },

    /** Reports a failed attempt that no outage caused. @param {XferError} error */
    failed(error) {
      // A peer that gives a final refusal is up and working.
      if (!error.shared && !error.retryable) for (const { state } of all) state.failures = 0
      of(error)?.failed(error)
    },

    /**
     * @param {XferError} error a failure for which `excuses` returned true
     * @param {AbortSignal} [signal]
     * @returns {Promise<void>} resolves when the peer is back
     * @throws {XferError} OUTAGE after the time limit; the signal's reason
     */
    async up(error, signal) {
      await of(error)?.up(signal)
    },

    /**
     * @param {Listener} listener
     * @returns {() => void} removes the listener
     */
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    close() {
      for (const monitor of all) monitor.close()
    },
  }
}

/**
 * @param {object} how
 * @param {'source' | 'destination' | 'store' | 'platform'} how.name `store` when it serves both sides
 * @param {string} how.where its address, for messages
 * @param {(signal: AbortSignal) => Promise<unknown>} how.probe sends a small request; every answer counts except a failure that is `shared`
 * @param {number} how.timeoutMs
 * @param {(event: import('../types').OutageNews) => void} how.emit
 * @param {Set<Listener>} how.listeners
 * @param {import('../types').Clock} how.clock
 * @param {() => number} how.random
 */
function createMonitor({ name, where, probe, timeoutMs, emit, listeners, clock, random }) {
  /** Whether it has ever answered. An address that never did may be mistyped, so nothing waits for it. */
  let heard = false
  /**
   * down: absent while it answers; failures: failed data requests in a row.
   *
   * @type {{ down: { sinceMs: number, probes: number, toldMs: number } | undefined, failures: number }}
   */
  const state = { down: undefined, failures: 0 }
  /** When the last outage ended. */
  let overMs = Number.NEGATIVE_INFINITY
  let failingSinceMs = 0
  /** @type {Promise<void> | undefined} */
  let asking
  /** Starts after `asking`: only a later probe can judge a failure that came after that one began. @type {Promise<void> | undefined} */
  let next
  /** @type {unknown} */
  let timer
  let closed = false
  /** With which it was given up. @type {XferError | undefined} */
  let failure
  /** The newest failure of a request that may be an outage: the reason that is given where a probe is not answered. @type {XferError | undefined} */
  let suspect
  /** Callers that wait until it is back. @type {Set<{ resolve: () => void, reject: (error: XferError) => void }>} */
  const waiting = new Set()

  /** @param {(waiter: { resolve: () => void, reject: (error: XferError) => void }) => void} tell */
  function release(tell) {
    for (const waiter of waiting) tell(waiter)
    waiting.clear()
  }

  /** @param {XferError} cause @param {{ forMs: number, attempts?: number }} facts */
  function giveUp(cause, facts) {
    // It is of all that wait, and not of the object that was asked for last.
    const { key: _, location: __, ...shared } = factsOfCause(cause)
    const lost = () => new XferError('OUTAGE', { ...shared, peer: name, where, ...facts }, { cause })
    const error = lost()
    failure = error
    release(({ reject }) => reject(lost()))
    for (const listener of listeners) listener.lost(error)
  }

  /** It went down or came back. */
  function changed() {
    for (const listener of listeners) listener.changed()
  }

  const downMs = () => (state.down ? clock.now() - state.down.sinceMs : 0)

  /** Reports an answer to a request that began at `askedMs`. @param {number} askedMs */
  function answered(askedMs) {
    heard = true
    const { down } = state
    if (!down || askedMs < down.sinceMs) return
    const forMs = downMs()
    const told = down.toldMs > 0
    state.down = undefined
    overMs = clock.now()
    clock.clearTimeout(timer)
    release(({ resolve }) => resolve())
    if (told) emit({ type: 'outage', peer: name, where, forMs, over: true })
    changed()
  }

  /** A probe that began at `askedMs` was not answered. @param {number} askedMs @param {XferError} error */
  function silent(askedMs, error) {
    const fresh = !state.down
    const down = state.down ?? { sinceMs: askedMs, probes: 0, toldMs: 0 }
    state.down = down
    const { probes, toldMs } = down
    const forMs = downMs()
    if (forMs >= timeoutMs) {
      state.down = undefined
      giveUp(error, { forMs })
      return changed()
    }
    down.probes++
    if (forMs >= (TELL_AT_MS.find(atMs => atMs > toldMs) ?? toldMs + TELL_EVERY_MS)) {
      down.toldMs = forMs
      const { code, message } = error
      emit({ type: 'outage', peer: name, where, code, message, forMs, over: false })
    }
    const stepMs = Math.min(MOST_PROBE_MS, FIRST_PROBE_MS * 2 ** probes)
    clock.clearTimeout(timer)
    timer = clock.setTimeout(ask, Math.min(stepMs * (0.75 + 0.25 * random()), timeoutMs - forMs))
    if (fresh) changed()
  }

  async function request() {
    const askedMs = clock.now()
    const controller = new AbortController()
    const limitMs = Math.max(LEAST_PROBE_LIMIT_MS, Math.min(PROBE_LIMIT_MS, timeoutMs - downMs()))
    const limit = clock.setTimeout(() => controller.abort(), limitMs)
    /** @type {XferError | undefined} */
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
      return state.down ? undefined : ask()
    })
    return next
  }

  return {
    name,
    /** Read for each part: a part that has arrived ends the failures in a row. */
    state,
    downMs,
    answered,

    /**
     * @param {XferError} error of a request
     * @param {number} askedMs when that request began
     * @param {AbortSignal} [signal]
     * @returns {Promise<boolean>} whether the peer is down, and so the cause
     */
    async excuses(error, askedMs, signal) {
      suspect = error
      if (failure || !heard) return false
      if (state.down || askedMs < overMs) return true
      await untilAborted(ask(), signal)
      return state.down !== undefined
    },

    /**
     * Reports a failed part that no outage caused. One failing object is no reason to stop. But when every object fails, a
     * million must not be tried for minutes each.
     *
     * @param {XferError} error
     */
    failed(error) {
      if (state.failures++ === 0) failingSinceMs = clock.now()
      const attempts = state.failures
      const forMs = clock.now() - failingSinceMs
      if (!failure && attempts > MANY && forMs > timeoutMs) giveUp(error, { attempts, forMs })
    },

    /** @param {AbortSignal} [signal] @returns {Promise<void>} resolves when it is back @throws {XferError} OUTAGE */
    async up(signal) {
      if (failure) throw failure
      if (!state.down || closed) return
      await untilAborted(
        new Promise((resolve, reject) => waiting.add({ resolve: () => resolve(undefined), reject })),
        signal,
      )
    },

    close() {
      closed = true
      clock.clearTimeout(timer)
      release(({ resolve }) => resolve())
    },
  }
}

module.exports = { createOutages }
