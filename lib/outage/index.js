'use strict'

/**
 * Outages of the peers that a job uses: source, destination, platform. The scheduler and the control calls share one
 * monitor for each peer: they report answers to it and ask it about failures. The monitor probes a peer that does not
 * answer, with back-off, and reports when it is back. During an outage nothing starts, and no attempt is counted.
 */

const { systemClock } = require('../async')
const { createMonitor } = require('./monitor')

/** @typedef {import('../types').XferError} Failure */
/** @typedef {'source' | 'destination' | 'platform'} Peer */
/** @typedef {ReturnType<typeof createOutages>} Outages */

/**
 * @param {object} how
 * @param {number} how.timeoutMs how long to wait for the end of an outage, `--outage-timeout`
 * @param {(event: import('../types').OutageNews) => void} how.emit
 * @param {import('../types').Clock} [how.clock]
 * @param {() => number} [how.random]
 */
function createOutages({ timeoutMs, emit, clock = systemClock, random = Math.random }) {
  /** @type {Map<Peer, ReturnType<typeof createMonitor>>} */
  const monitors = new Map()
  /** @type {Set<{ changed: () => void, lost: (error: Failure) => void }>} */
  const listeners = new Set()

  /** Each once. @type {Array<ReturnType<typeof createMonitor>>} */
  const all = []
  /** @param {Failure} error */
  const of = error => (error.shared ? monitors.get(error.facts.side ?? 'platform') : undefined)

  return {
    /**
     * @param {Peer[]} peers all of them the same server
     * @param {{ where: string, probe: (signal: AbortSignal) => Promise<unknown> }} how
     */
    watch(peers, { where, probe }) {
      const name = peers.length > 1 ? 'store' : peers[0]
      const monitor = createMonitor({
        ...{ name, where, probe, timeoutMs, emit, clock, random },
        changed() {
          for (const listener of listeners) listener.changed()
        },
        lose(error) {
          for (const listener of listeners) listener.lost(error)
        },
      })
      for (const peer of peers) monitors.set(peer, monitor)
      all.push(monitor)
    },

    /** The clock that every `askedMs` is read from. */
    now: clock.now,

    /** Whether any peer is down, so that nothing may start. */
    holding: () => all.some(monitor => monitor.isDown()),

    /** @returns {Array<{ peer: Peer | 'store', forMs: number }>} the peers that are down */
    told: () =>
      all.filter(monitor => monitor.isDown()).map(monitor => ({ peer: monitor.name, forMs: monitor.downMs() })),

    /** Reports an answer to a request that began at `askedMs`. @param {Peer} peer @param {number} askedMs */
    answered(peer, askedMs) {
      monitors.get(peer)?.answered(askedMs)
    },

    /** Reports that a part has arrived. */
    progressed() {
      for (const monitor of all) monitor.worked()
    },

    /**
     * Whether an outage caused this failure. May wait until a probe is answered.
     *
     * @param {Failure} error
     * @param {number} askedMs when the request began
     * @param {AbortSignal} [signal]
     * @returns {Promise<boolean>}
     * @throws {Failure} the signal's reason
     */
    async excuses(error, askedMs, signal) {
      return (await of(error)?.excuses(error, askedMs, signal)) ?? false
    },

    /** Reports a failed attempt that no outage caused. @param {Failure} error */
    failed(error) {
      // A peer that gives a final refusal is up and working.
      if (!error.shared && !error.retryable) for (const monitor of all) monitor.worked()
      of(error)?.failed(error)
    },

    /**
     * @param {Failure} error a failure for which `excuses` returned true
     * @param {AbortSignal} [signal]
     * @returns {Promise<void>} resolves when the peer is back
     * @throws {Failure} OUTAGE after the time limit; the signal's reason
     */
    async up(error, signal) {
      await of(error)?.up(signal)
    },

    /**
     * @param {{ changed: () => void, lost: (error: Failure) => void }} listener changed: the value of `holding` may have
     *   changed; lost: the job gives up waiting for a peer
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

module.exports = { createOutages }
