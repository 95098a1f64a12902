'use strict'

/**
 * How many parts, or small objects, go into one invocation: as many as the policy wants, at most as many as functions and
 * payloads were found to hold. Pure.
 */

/** Share of the time after which a blocking call returns without its result, which then has to be polled for. */
const SHARE_OF_ANSWER = 0.6
/** Share of the platform's time limit for an invocation. */
const SHARE_OF_TIMEOUT = 0.6
/** Share of the platform's size limit for a payload. */
const SHARE_OF_PAYLOAD = 0.8
/** Well below the 15 minutes for which signatures are valid. */
const MAX_MS = 5 * 60_000
/** The time of an invocation in addition to that of its bytes. */
const OVERHEAD_MS = 200
/** Assumed until functions were measured: slower than most, so that the first batches end in time. */
const ASSUMED_BYTES_PER_SECOND = 15e6
/**
 * Parts of an invocation that run at once, each with connections of its own: one is often slower than the function's network.
 * Fewer where no quota says that invocations are scarce: the stores get no more than twice what was asked for.
 */
const LANES = { counted: 4, free: 2 }
/** The share of the newest requests, some hundreds, that is refused by a store that has too many. Stray refusals are fewer. */
const REFUSED = 0.005
const NEWEST = 500
/** This share of the minute's remaining invocations is planned for the parts that wait; the rest is for retries and second starts. */
const PLANNED_SHARE = 0.75
/** The parts that wait are shared among the slots in so many rounds, so batches become smaller towards the end. */
const ROUNDS = 2
/** Successful invocations of the largest size so far before a larger one is tried. This number doubles each time that a larger one fails. */
const CALM = 10
/** Assumed size of a task as JSON, until tasks were measured. */
const ASSUMED_TASK_BYTES = 4096

/** Small objects run in parallel in a function, so that their round trips overlap. */
const MOST_PARALLEL_OBJECTS = 8
/** The same where a call costs nothing: behind 30 ms 4,000 take a fifth less time than with eight, and 32 are no faster. */
const MOST_PARALLEL_HERE = 16
/** Most objects in an invocation of an engine without a quota, so that its messages cost little. */
const MOST_AT_ONCE = 32
/** Most bytes in such an invocation, so that no single one gets all the large objects. */
const MOST_BYTES_AT_ONCE = 32 * 1024 ** 2
/** If calls have a cost, an invocation has at least this many objects while there are more, even if slots stay free. */
const LEAST_OBJECTS = 32
/**
 * Large objects share an invocation if the quota is scarce: those that wait would need more than this share of the minute's
 * remaining invocations.
 */
const SHARE_OF_QUOTA = 0.25
/** The work of an invocation takes at least this many times the cost of a call, which is then a fifth of the time. */
const WORTH = 4
/**
 * The measured cost of a call counts up to this many times the usual one. Calls that wait for containers cost more, and
 * larger invocations help; but none should run for long while other slots are idle.
 */
const MOST_COSTLY = 4
/** If calls have a cost, the first object of a list waits this long for others. */
const GATHER_MS = 100
/** Assumed time of an object in addition to its bytes: a few round trips, shared among those that run in parallel. */
const ASSUMED_OBJECT_MS = 50
/** The same if stores are near. Too small a batch wastes an invocation; too large a one only some tenths of a second. */
const ASSUMED_NEAR_MS = 6

/**
 * @typedef {object} BatchSituation
 * @property {number} waiting number of waiting items
 * @property {number} bytes of the waiting items
 * @property {number} slots invocations at once
 * @property {number} free slots
 * @property {number} perMinute invocations a minute
 * @property {number} startable invocations that may start in this minute
 * @property {number | undefined} msPerByte of one invocation, measured
 * @property {number} [bytesPerSecond] the share of the user's bandwidth that one invocation gets now
 *
 * @typedef {object} Policy
 * @property {(situation: BatchSituation) => number} items how many to put into an invocation
 * @property {() => number} parallel tasks of an invocation that run at once, at most
 * @property {(situation: BatchSituation) => number} [mostBytes] the most bytes in an invocation; a single item always fits; absent: any
 * @property {number} gatherMs how long the first item waits for others
 * @property {(times: { elapsedMs: number, workedMs: number }, items: number) => void} [took] is called for each
 *   invocation that did all its items; workedMs: how long the function itself worked on them
 * @property {(items: { asked: number, refused: number }) => void} [answered] is called for each invocation; refused: by a store,
 *   because there are too many requests
 */

/**
 * The policy for parts. While many wait, an invocation carries one for each lane, and with a quota of invocations more: half
 * of what waits is shared among the slots, then half of the rest, and so on (guided self-scheduling, Polychronopoulos and
 * Kuck, 1987). At the end each part has an invocation of its own, so that a slow one can be started again alone. With a quota
 * an invocation carries enough in any case: so many that all fit into the minute, or, where that is more than keeps all slots
 * busy, with `slots` at once and `perMinute` to start, what lasts slots / perMinute minutes.
 *
 * @param {{ partBytes: number, limits: import('../types').EngineLimits }} plan partBytes: of the largest part
 * @returns {Policy}
 */
function partsPolicy({ partBytes, limits }) {
  /** Whether a quota counts invocations: known beforehand, or learned from a refusal. */
  let counted = Number.isFinite(limits.perMinute)
  /** Threads of this machine, and stores that copy by themselves, need no lanes: more invocations are the same. */
  const timed = Number.isFinite(limits.timeoutMs)
  let refusedShare = 0
  /** Whether a store has too many requests. One lane then hears a refusal at once, and not only when the other parts are done. */
  const pressed = () => refusedShare > REFUSED

  function parallel() {
    if (!timed) return 1
    if (counted) return LANES.counted
    return pressed() ? 1 : LANES.free
  }

  /** The number of parts that a function copies in this time. @param {number} ms @param {BatchSituation} situation */
  function partsIn(ms, { msPerByte = 1000 / ASSUMED_BYTES_PER_SECOND, bytesPerSecond = Number.POSITIVE_INFINITY }) {
    const slowest = Math.max(msPerByte, 1000 / bytesPerSecond)
    return (ms - OVERHEAD_MS) / slowest / Math.max(1, partBytes)
  }

  /** @param {BatchSituation} situation */
  function wanted(situation) {
    const { waiting, slots, perMinute, startable, bytesPerSecond } = situation
    counted = Number.isFinite(perMinute)
    // Of a rate of the user's little is to be in flight.
    const guided = bytesPerSecond === undefined ? waiting / (ROUNDS * slots) : 1
    if (!counted) return Math.min(parallel(), guided)
    // 0 of 0 is no number.
    const forQuota = waiting && Math.min(waiting / startable, partsIn((slots / perMinute) * 60_000, situation))
    return pressed() ? forQuota : Math.max(guided, forQuota)
  }

  return {
    items(now) {
      const situation = { ...now, startable: PLANNED_SHARE * now.startable }
      // A platform that answers before the invocation has ended is asked again, so that is no limit without a rate.
      const answerMs = situation.bytesPerSecond === undefined ? Number.POSITIVE_INFINITY : limits.answerMs
      const ms = timelyMs({ ...limits, answerMs })
      return Math.floor(Math.min(Math.ceil(wanted(situation)), partsIn(ms, situation), fairShare(situation)))
    },
    parallel,
    gatherMs: 0,
    answered({ asked, refused }) {
      refusedShare += (refused - refusedShare * asked) / Math.max(NEWEST, asked)
    },
  }
}

/**
 * The policy for small objects, which take a few milliseconds each. As many as are done in time, whatever the quota: their
 * share of what waits, and at least `LEAST_OBJECTS`, or more if that makes the cost of a call a small share. If a call costs
 * nothing: enough to make messages cheap. Objects whose bytes are work enough go alone, unless the quota is scarce.
 *
 * @param {{ limits: import('../types').EngineLimits }} plan
 * @returns {Policy}
 */
function objectsPolicy({ limits }) {
  const { invocationMs = 0 } = limits
  const costs = invocationMs > 0 || Number.isFinite(limits.perMinute)
  /** @type {number | undefined} time of one object among as many as run in parallel */
  let msEach
  /** The cost of a call. */
  let costMs = invocationMs
  /** The objects, and the bytes, that are worth an invocation. */
  const worth = () => Math.max(1, Math.ceil((WORTH * costMs) / (msEach ?? ASSUMED_NEAR_MS)))
  /** @param {BatchSituation} situation */
  const worthBytes = situation => (WORTH * costMs * slowest(situation)) / 1000
  /** @param {BatchSituation} situation */
  const slowest = ({ bytesPerSecond = Number.POSITIVE_INFINITY }) => Math.min(ASSUMED_BYTES_PER_SECOND, bytesPerSecond)

  /** @param {BatchSituation} situation */
  function isScarce(situation) {
    const { waiting, bytes, startable } = situation
    const wanted = Math.max(waiting / worth(), bytes / Math.max(1, worthBytes(situation)))
    return wanted > SHARE_OF_QUOTA * startable
  }

  return {
    items(situation) {
      const share = fairShare(situation)
      if (!costs) return Math.min(MOST_AT_ONCE, share)
      const inTime = timelyMs(limits) / (msEach ?? ASSUMED_OBJECT_MS)
      return Math.floor(Math.min(inTime, Math.max(share, LEAST_OBJECTS, worth())))
    },
    parallel: () => (costs ? MOST_PARALLEL_OBJECTS : MOST_PARALLEL_HERE),
    gatherMs: costs ? GATHER_MS : 0,
    mostBytes(situation) {
      if (!costs) return MOST_BYTES_AT_ONCE
      const inTime = (timelyMs(limits) / 1000) * slowest(situation)
      if (isScarce(situation)) return inTime
      const { bytes, slots, startable } = situation
      const share = bytes / Math.max(1, Math.min(slots, startable))
      return Math.min(inTime, MOST_BYTES_AT_ONCE, Math.max(worthBytes(situation), share))
    },
    took({ elapsedMs, workedMs }, items) {
      msEach = smooth(msEach, workedMs / Math.max(items, MOST_PARALLEL_OBJECTS))
      const cost = Math.min(MOST_COSTLY * invocationMs, Math.max(invocationMs, elapsedMs - workedMs))
      costMs = smooth(costMs, cost)
    },
  }
}

/** @param {number | undefined} mean so far @param {number} found */
function smooth(mean, found) {
  return mean === undefined ? found : 0.8 * mean + 0.2 * found
}

/** How long an invocation may take with a safe margin. @param {{ timeoutMs: number, answerMs: number }} limits */
function timelyMs({ timeoutMs, answerMs }) {
  return Math.min(SHARE_OF_TIMEOUT * timeoutMs, MAX_MS, SHARE_OF_ANSWER * answerMs)
}

/**
 * @param {{ asked: number | undefined, limits: import('../types').EngineLimits, policy: Policy }} plan asked: items in an
 *   invocation, if the user set a number
 */
function createBatching({ asked, limits, policy }) {
  /** The most items that a function and a payload held; the most that were done before the time limit. */
  let held = Number.POSITIVE_INFINITY
  let timely = Number.POSITIVE_INFINITY
  let parallel = Number.POSITIVE_INFINITY
  let calm = 0
  let patience = CALM
  let taskBytes = ASSUMED_TASK_BYTES

  return {
    gatherMs: policy.gatherMs,

    /** The next invocation: most items, at least 1, and most bytes. @param {BatchSituation} situation */
    size(situation) {
      const carried = Math.floor((SHARE_OF_PAYLOAD * limits.payloadBytes) / taskBytes)
      const wanted = Math.min(asked ?? policy.items(situation), timely, carried)
      const mostBytes = policy.mostBytes?.(situation) ?? Number.POSITIVE_INFINITY
      if (wanted <= held || calm < patience) return { most: Math.max(1, Math.min(wanted, held)), mostBytes }
      // Try a single larger one: many would fail together.
      calm = 0
      return { most: held + 1, mostBytes }
    },

    /** The number of an invocation's tasks that run at once. */
    parallel: () => Math.min(parallel, policy.parallel()),

    /**
     * The number of these tasks, from the first, that fit into a payload.
     *
     * @param {import('../types').Task[]} tasks signed
     * @returns {number} at least 1
     */
    fitting(tasks) {
      if (!Number.isFinite(limits.payloadBytes)) return tasks.length
      const sizes = tasks.map(task => Buffer.byteLength(JSON.stringify(task)) + 1)
      const mean = sizes.reduce((sum, bytes) => sum + bytes, 0) / Math.max(1, sizes.length)
      // Expect the next ones to be as large as these; a few larger ones are forgotten after a while.
      taskBytes = Math.max(ASSUMED_TASK_BYTES, mean, 0.9 * taskBytes + 0.1 * mean)
      let room = SHARE_OF_PAYLOAD * limits.payloadBytes
      const beyond = sizes.findIndex((bytes, i) => {
        room -= bytes
        return room < 0 && i > 0
      })
      return beyond < 0 ? tasks.length : beyond
    },

    /** An invocation with this many tasks was too much for a function or for the payload. @param {number} tasks */
    tooMuch(tasks) {
      calm = 0
      if (tasks > held) {
        // Others were under way when the number was lowered.
        if (tasks === held + 1) patience *= 2
        return
      }
      held = Math.max(1, Math.min(held, Math.ceil(tasks / 2)))
      parallel = Math.max(1, Math.ceil(Math.min(parallel, policy.parallel()) / 2))
    },

    /**
     * An invocation was answered.
     *
     * @param {{ items: number, done: number, refused: number, ranOut: boolean, times: Parameters<NonNullable<Policy['took']>>[0] }} answer
     *   refused: by a store, because there are too many requests; ranOut: it had no time left for all
     */
    ended({ items, done, refused, ranOut, times }) {
      policy.answered?.({ asked: items, refused })
      if (ranOut) timely = Math.max(1, Math.min(timely, done))
      if (done < items) return
      policy.took?.(times, items)
      // What lowered the number may be over.
      if (items >= timely) timely++
      if (items > held) {
        held = items
        parallel++
      } else if (items === held) calm++
    },
  }
}

/**
 * Shares the last items among all slots. If the free slots can take them all, in shares at most twice as large, they do, and
 * nothing waits for a second round.
 *
 * @param {Pick<BatchSituation, 'waiting' | 'slots' | 'free' | 'startable'>} situation
 */
function fairShare({ waiting, slots, free, startable }) {
  const share = Math.ceil(waiting / Math.max(1, Math.min(slots, startable)))
  const now = Math.ceil(waiting / Math.max(1, Math.min(free, startable)))
  return now <= 2 * share ? Math.max(now, share) : share
}

module.exports = { createBatching, objectsPolicy, partsPolicy }
