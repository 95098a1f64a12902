'use strict'

/**
 * How much runs at once: the limits of the platform, the stores and the network, the user's bandwidth, the number of parts in
 * an invocation, and the queue, which keeps to all of them.
 */

const { createBatching, objectsPolicy, partsPolicy } = require('./batch')
const {
  beginWith,
  createBandwidth,
  createInFlight,
  createNetworkLimit,
  createPlatformLimit,
  createQuota,
  createRamp,
} = require('./limits')
const { bytesOf } = require('./items')
const { createQueue } = require('./queue')
const { createTimePerByte } = require('./hedging')

/** @typedef {import('./items').Item} Item */

/** 0: parts of large objects; 1: small objects. @param {Item} item */
const laneOf = ({ group }) => group.how.lane ?? 0

/**
 * @param {object} how as for `createScheduler`
 * @param {import('../types').EngineLimits} how.limits
 * @param {number} how.concurrency
 * @param {number} [how.startWith]
 * @param {number} how.partBytes
 * @param {number} [how.partsPerInvocation]
 * @param {import('./limits/pressure').Pressure} how.pressure
 * @param {import('../types').Clock} how.clock
 * @param {() => number} how.random
 */
function createCapacity({ limits, concurrency, startWith, partBytes, partsPerInvocation, pressure, clock, random }) {
  /** The platform's time: its minutes are the ones that count. */
  const thereMs = () => clock.now() + limits.skewMs
  const limit = createPlatformLimit(concurrency)
  const quota = createQuota(limits.perMinute, random)
  const ramp = limits.ramp && createRamp(limits.ramp)
  const timePerByte = createTimePerByte()
  const network =
    startWith === undefined
      ? undefined
      : createNetworkLimit({ start: beginWith({ startWith, partBytes }), most: concurrency })
  const { bandwidth: total, bytesPerSecond: least = total } = limits
  const bandwidth =
    total === undefined ? undefined : createBandwidth({ bytesPerSecond: total, least: /** @type {number} */ (least) })
  const inFlight = createInFlight({ most: limits.bytesInFlight ?? Number.POSITIVE_INFINITY })
  /** Invocations at once. */
  const slots = () => Math.min(limit.current(), pressure.current(), network?.current() ?? concurrency)
  /** The batch sizes, by lane. */
  const batchings = [partsPolicy({ partBytes, limits }), objectsPolicy({ limits })].map(policy =>
    createBatching({ asked: partsPerInvocation, limits, policy }),
  )
  /** @type {ReturnType<typeof createQueue<Item>>} */
  const queue = createQueue({
    limit: () => (inFlight.isFree() && (bandwidth === undefined || bandwidth.isFree(slots())) ? slots() : queue.out()),
    laneOf,
    bytesOf: ({ part }) => part.bytes,
    room: (waiting, lane, bytes) => batchings[lane].room(situation(waiting, bytes)),
    gatherMs: lane => batchings[lane].gatherMs,
    batch: (waiting, lane, bytes) => batchings[lane].parts(situation(waiting, bytes)),
    quota: {
      waitMs: () => Math.max(quota.waitMs(thereMs()), ramp?.waitMs(clock.now(), queue.out()) ?? 0),
      started,
    },
    clock,
  })

  /** @param {Item[]} taken */
  function started(taken) {
    quota.started(thereMs())
    ramp?.started(clock.now(), queue.out())
    const bytes = bytesOf(taken)
    inFlight.take(taken, bytes)
    bandwidth?.take(taken, 1 + startable(queue.waiting() / taken.length, bytes))
  }

  /** How many of these invocations may start now. @param {number} wanted @param {number} bytes of each */
  function startable(wanted, bytes) {
    const most = Math.min(slots() - queue.out(), quota.left(thereMs()), inFlight.startable(bytes))
    return Math.max(0, Math.min(Math.ceil(wanted), most))
  }

  /** @param {number} waiting @param {number} bytes @returns {import('./batch').Situation} */
  function situation(waiting, bytes) {
    return {
      waiting,
      bytes,
      slots: slots(),
      free: slots() - queue.out(),
      perMinute: quota.perMinute(),
      startable: quota.left(thereMs()),
      msPerByte: timePerByte.msPerByte(2),
      bytesPerSecond: bandwidth?.shareFor(Math.max(1, startable(waiting, bytes / Math.max(1, waiting)))),
    }
  }

  return {
    queue,
    /** Falls when the platform throttles. */
    limit,
    quota,
    /** How long bytes take. */
    timePerByte,
    /** Absent if the engine does not adapt. */
    network,
    thereMs,
    /** Whether invocations usually copy so much well within the time that they may run. @param {number} bytes */
    fitsInTime(bytes) {
      const msPerByte = timePerByte.msPerByte(1)
      return msPerByte !== undefined && bytes * msPerByte < limits.timeoutMs / 2
    },
    /** The platform's quota, if parts wait for it. @returns {{ perMinute?: number } | undefined} */
    waitsForQuota() {
      if (!queue.open() || queue.waiting() === 0 || quota.waitMs(thereMs()) === 0) return undefined
      const perMinute = quota.perMinute()
      return Number.isFinite(perMinute) ? { perMinute } : {}
    },
    /**
     * What an invocation is told of its share of the user's bandwidth.
     *
     * @param {import('./items').Flight} flight
     * @returns {Partial<import('../types').RunOptions>} empty if it may be as fast as it can
     */
    paced(flight) {
      const bytesPerSecond = bandwidth?.of(flight.items)
      if (bytesPerSecond === undefined) return {}
      return {
        bytesPerSecond,
        onDetached(ended) {
          flight.detached = ended
        },
      }
    },

    /**
     * Others may start in its place. Its share of the bandwidth is free when the function has ended, also if nobody waits for
     * that.
     *
     * @param {import('./items').Flight} flight
     */
    giveBack({ items, detached }) {
      inFlight.release(items)
      if (!detached) return bandwidth?.release(items)
      const release = () => {
        bandwidth?.release(items)
        queue.look()
      }
      detached.then(release, release)
    },

    /** @param {Item} item */
    batchingOf: item => batchings[laneOf(item)],
  }
}

module.exports = { createCapacity, laneOf }
