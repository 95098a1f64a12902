'use strict'

/**
 * How much runs at once: the limits of the platform, the stores and the network, the user's bandwidth, the number of parts in
 * an invocation, and the queue, which keeps to all of them. The limits are pure:
 *
 * | limit | of | falls | rises |
 * | --- | --- | --- | --- |
 * | `createAdaptiveLimit` | the platform, or a store | by three tenths of what was accepted; by one near the maximum that the platform tells; to the containers that work, if invocations wait for one | by a twentieth per second, faster the longer all is accepted; by one for each invocation that finds a free container |
 * | `createNetworkLimit` | the network and this machine, which never refuse | if fewer move nearly as many bytes | if more move clearly more bytes |
 *
 * `createQuota` limits how many start in a minute, not how many there are, and `createRamp` holds back those for which the
 * platform could not start an environment yet. `createHoldings` accounts for the user's bandwidth.
 */

const { createBatching, objectsPolicy, partsPolicy } = require('./batch')
const { bytesOf, createQueue } = require('./queue')
const { createTimePerByte } = require('./hedging')
const { createAdaptiveLimit, isBrief, refusingSide } = require('./pressure')
const { createHoldings } = require('./allowance')
const { beginWith, createNetworkLimit, createQuota, createRamp } = require('./limits')

/**
 * A platform may run fewer containers than it accepts invocations. So many start, or this share of all, until that many answers have
 * waited for none: the others would only queue, and be answered without their results (docs/design/simulation.md).
 */
const FIRST = 100
const FIRST_SHARE = 1 / 2
const UNQUEUED_ANSWERS = 12
/** An invocation waited for a container, if that took this share of its work. */
const QUEUED = 0.05

/** @typedef {import('./queue').Item} Item */
/** @typedef {import('./queue').Flight} Flight */
/** @typedef {import('../types').XferError} XferError */
/** @typedef {ReturnType<typeof createCapacity>} Capacity */

/**
 * @param {object} how as for `createScheduler`
 * @param {import('../types').EngineLimits} how.limits
 * @param {number} how.concurrency
 * @param {number} [how.startWith]
 * @param {() => number} [how.roundTripMs]
 * @param {number} how.partBytes
 * @param {number} [how.partsPerInvocation]
 * @param {import('./pressure').Pressure} how.pressure
 * @param {import('../types').Clock} how.clock
 * @param {() => number} how.random
 */
function createCapacity(how) {
  const { limits, concurrency: most, startWith, roundTripMs, partBytes, pressure, clock, random } = how
  /** The platform's time: its minutes are the ones that count. */
  const thereMs = () => clock.now() + limits.skewMs
  const platform = createAdaptiveLimit(random)
  const quota = createQuota(limits.perMinute, random)
  const ramp = limits.ramp && createRamp(limits.ramp)
  const timePerByte = createTimePerByte()
  const workPerByte = createTimePerByte()
  const network =
    startWith === undefined
      ? undefined
      : createNetworkLimit({ start: () => beginWith({ startWith, partBytes, roundTripMs: roundTripMs?.() }), most })
  /** Absent where neither the bandwidth nor the bytes in flight are limited. */
  const holdings = limits.bandwidth || limits.bytesInFlight ? createHoldings(limits) : undefined
  /** Invocations that were answered. */
  let answers = 0
  /** Parts and small objects in flight. */
  let carried = 0
  /** How many invocations have not waited for a container, counted until there are enough. A platform that answers only when an invocation ends has no queue. */
  let unqueued = Number.isFinite(limits.answerMs) ? 0 : Number.POSITIVE_INFINITY
  const first = Math.max(FIRST, Math.ceil(FIRST_SHARE * most))
  /** Invocations at once. */
  const slots = () => {
    const allowed = unqueued < UNQUEUED_ANSWERS ? first : most
    return Math.min(most, platform.current(), pressure.current(), network?.current() ?? most, allowed)
  }
  /** The platform or store that refused last: nothing starts for a while because of it. @type {import('../types').Bound | undefined} */
  let pausedBy
  /** Which limit allows no more than these invocations at once. @param {number} limit @returns {import('../types').Bound | undefined} */
  function slotsBoundBy(limit) {
    if (limit === most) return { by: most < limits.concurrent ? 'concurrency' : 'engine', limit }
    if (platform.current() === limit) return queuesThere() ?? { by: 'platform', limit }
    for (const side of /** @type {const} */ (['destination', 'source']))
      if (pressure.of(side).current() === limit) return { by: side, limit }
    return network?.current() === limit && network.isFound() ? { by: 'machine', limit } : undefined
  }
  /** Where more are in flight than the platform has containers, the others wait for one. @returns {import('../types').Bound | undefined} */
  function queuesThere() {
    const limit = platform.containers()
    return limit !== undefined && queue.out() > limit ? { by: 'containers', limit } : undefined
  }
  /** The batch sizes, by lane. */
  const batchings = [partsPolicy({ partBytes, limits }), objectsPolicy({ limits })].map(policy =>
    createBatching({ asked: how.partsPerInvocation, limits, policy }),
  )
  /** @type {ReturnType<typeof createQueue>} */
  const queue = createQueue({
    limit() {
      const limit = slots()
      return !holdings || holdings.isFree(limit) ? limit : queue.out()
    },
    gatherMs: batchings.map(({ gatherMs }) => gatherMs),
    batch(lane, waiting, bytes) {
      const most = slots()
      return batchings[lane].size({
        waiting,
        bytes,
        slots: most,
        free: most - queue.out(),
        perMinute: quota.perMinute(),
        startable: quota.left(thereMs()),
        msPerByte: workPerByte.msPerByte(2),
        bytesPerSecond: holdings?.shareFor(Math.max(1, startable(waiting, bytes / Math.max(1, waiting)))),
      })
    },
    quota: {
      waitMs: () => Math.max(quota.waitMs(thereMs()), ramp?.waitMs(clock.now(), queue.out()) ?? 0),
      started,
    },
    clock,
  })

  /** @param {Item[]} taken */
  function started(taken) {
    quota.started(thereMs())
    ramp?.started(queue.out())
    carried += taken.length
    if (!holdings) return
    const bytes = bytesOf(taken)
    holdings.take(taken, bytes, 1 + startable(queue.waiting() / taken.length, bytes))
  }

  /** How many of these invocations may start now. @param {number} wanted @param {number} bytes of each */
  function startable(wanted, bytes) {
    const held = holdings?.startable(bytes) ?? Number.POSITIVE_INFINITY
    const free = Math.min(slots() - queue.out(), quota.left(thereMs()), held)
    return Math.max(0, Math.min(Math.ceil(wanted), free))
  }

  return {
    queue,
    /** How long bytes take, from the call to its answer. */
    timePerByte,
    /** How long a function works on them, by its own clock. */
    workPerByte,
    /** Absent if the engine does not adapt. */
    network,
    /** Whether invocations usually copy so much well within the time that they may run. @param {number} bytes */
    fitsInTime(bytes) {
      const msPerByte = workPerByte.msPerByte(1)
      return msPerByte !== undefined && bytes * msPerByte < limits.timeoutMs / 2
    },
    /** The platform's quota, if parts wait for it. @returns {{ perMinute?: number } | undefined} */
    waitsForQuota() {
      if (queue.over() || queue.waiting() === 0 || quota.waitMs(thereMs()) === 0) return undefined
      return { perMinute: quota.perMinute() }
    },

    /**
     * What keeps another invocation from starting now. It is asked twice a second, and counts nothing.
     *
     * @returns {import('../types').Bound | undefined} undefined: nothing, or it is not known
     */
    bound() {
      if (queue.over()) return undefined
      if (queue.waiting() === 0) return queuesThere() ?? { by: 'parts', carried }
      const limit = slots()
      if (queue.out() >= limit) return slotsBoundBy(limit)
      const standstill = queue.standstill()
      if (standstill === 'paused') return pausedBy
      if (standstill === 'later') return { by: 'retries' }
      if (quota.waitMs(thereMs()) > 0) return { by: 'quota' }
      if (ramp && ramp.waitMs(clock.now(), queue.out()) > 0) return { by: 'starts' }
      return !holdings || holdings.isFree(limit) ? undefined : { by: 'bandwidth' }
    },

    /**
     * The platform or a store throttles: lowers its limit, and starts nothing for a while. The other limits stay as they are.
     *
     * @param {XferError} error
     * @param {Flight} flight
     * @returns {{ limit: number, store?: import('./pressure').SideName, delayMs: number }} its limit now; how long nothing starts
     */
    refused(error, { takenMs: askedMs }) {
      const { retryAfterMs, facts } = error
      const store = refusingSide(error)
      const limit = store ? pressure.of(store) : platform
      let delayMs
      if (facts.throttle === 'rate') {
        quota.refused({ nowMs: thereMs(), allowed: facts.allowed })
        delayMs = quota.waitMs(thereMs())
      } else {
        const nowMs = clock.now()
        // If nothing waits, the number in flight does not show how many are accepted.
        const others = queue.waiting() > 0 ? queue.out() - 1 : most
        const signal = { nowMs, askedMs, others, most, allowed: facts.allowed, retryAfterMs, brief: isBrief(error) }
        delayMs = queue.pause(limit.refused(signal))
        pausedBy = { by: store ?? 'platform', limit: Math.min(most, limit.current()) }
      }
      return { ...(store && { store }), limit: Math.min(most, limit.current()), delayMs: Math.round(delayMs) }
    },

    /**
     * The platform answered, and so did the stores, except those in `but`.
     *
     * @param {{ some: boolean, but: Array<import('./pressure').SideName | undefined> }} what some: something was not refused;
     *   but: who refused
     */
    answered({ some, but }) {
      const answer = { nowMs: clock.now(), inFlight: queue.out(), most }
      answers++
      if (++unqueued >= UNQUEUED_ANSWERS) unqueued = Number.POSITIVE_INFINITY
      platform.answered(answer)
      if (some) pressure.answered(answer, but)
    },

    /**
     * What an invocation is told of the limit of the bandwidth, and what it tells.
     *
     * @param {Flight} flight
     * @returns {Partial<import('../types').RunOptions>}
     */
    paced(flight) {
      const before = answers
      return {
        bytesPerSecond: holdings?.of(flight.items),
        onDetached(ended) {
          flight.detached = ended
        },
        onQueued(told) {
          const found = platform.queued({ nowMs: clock.now(), answered: answers - before + 1, most, ...told })
          if (found !== undefined) limits.onPool?.(found)
          // Its answer counts next.
          if (told.waitedMs > QUEUED * told.ranMs) unqueued--
        },
      }
    },

    /**
     * Others may start in its place. What it holds of the bandwidth is free when the function has ended, also if nobody waits
     * for that.
     *
     * @param {Flight} flight
     */
    giveBack({ items, detached }) {
      carried -= items.length
      if (!detached) return holdings?.release(items)
      const release = () => {
        holdings?.release(items)
        queue.look()
      }
      detached.then(release, release)
    },

    /** @param {Item} item */
    batchingOf: item => batchings[item.group.lane],
  }
}

module.exports = { createCapacity }
