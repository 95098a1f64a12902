'use strict'

/**
 * Outages of what a job speaks to: source, destination, platform. The scheduler and the control calls share one monitor for
 * each: they tell it what was answered and ask it about failures; it probes, with back-off, what does not answer, and says
 * when that is back. Meanwhile nothing starts, and no attempt is counted.
 */

const { systemClock } = require('../async')
const { createMonitor } = require('./monitor')

/** @typedef {import('../types').XferError} Failure */
/** @typedef {'source' | 'destination' | 'platform'} Peer */
/** @typedef {ReturnType<typeof createOutages>} Outages */

/**
 * @param {object} how
 * @param {number} how.timeoutMs for how long an outage is waited for, `--outage-timeout`
 * @param {(event: import('../types').OutageEvent) => void} how.emit
 * @param {import('../types').Clock} [how.clock]
 * @param {() => number} [how.random]
 */
function createOutages({ timeoutMs, emit, clock = systemClock, random = Math.random }) {
  /** @type {Map<Peer, ReturnType<typeof createMonitor>>} */
  const monitors = new Map()
  /** @type {Set<{ changed: () => void, lost: (error: Failure) => void }>} */
  const listeners = new Set()

  const all = () => [...new Set(monitors.values())]
  /** @param {Failure} error */
  const of = error => (error.shared ? monitors.get(peerOf(error)) : undefined)

  return {
    /**
     * @param {Peer[]} peers that are one
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
    },

    /** The time by which they are asked: `askedMs` is of it. */
    now: clock.now,

    /** Whether anything is away: nothing is to start. */
    holding: () => all().some(monitor => monitor.isDown()),

    /** @returns {Array<{ peer: Peer | 'store', forMs: number }>} those that are away */
    told: () =>
      all()
        .filter(monitor => monitor.isDown())
        .map(monitor => ({ peer: monitor.name, forMs: monitor.downMs() })),

    /** It answered a request that was begun then. @param {Peer} peer @param {number} askedMs */
    answered(peer, askedMs) {
      monitors.get(peer)?.answered(askedMs)
    },

    /** A part is there, whoever said so. */
    progressed() {
      for (const monitor of all()) monitor.worked()
    },

    /**
     * Whether a failure is not the request's own but of an outage. It may take until a probe is answered.
     *
     * @param {Failure} error
     * @param {number} askedMs when the request was begun
     * @param {AbortSignal} [signal]
     * @returns {Promise<boolean>}
     * @throws {Failure} the signal's reason
     */
    async excuses(error, askedMs, signal) {
      return (await of(error)?.excuses(askedMs, signal)) ?? false
    },

    /** A part's attempt failed by itself. @param {Failure} error */
    failed(error) {
      // Whoever refuses for good is there, and at work.
      if (!error.shared && !error.retryable) for (const monitor of all()) monitor.worked()
      of(error)?.failed(error)
    },

    /**
     * @param {Failure} error that was excused
     * @param {AbortSignal} [signal]
     * @returns {Promise<void>} once whoever was away is back
     * @throws {Failure} OUTAGE, where that takes too long; the signal's reason
     */
    async up(error, signal) {
      await of(error)?.up(signal)
    },

    /**
     * @param {{ changed: () => void, lost: (error: Failure) => void }} listener changed: `holding` may be another; lost: who is
     *   away was given up
     * @returns {() => void} forgets it
     */
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    close() {
      for (const monitor of all()) monitor.close()
    },
  }
}

/** @param {Failure} error that is `shared` @returns {Peer} */
function peerOf({ facts: { side } }) {
  return side ?? 'platform'
}

module.exports = { createOutages }
