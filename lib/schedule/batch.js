'use strict'

/**
 * How many parts, or whole small objects, an invocation carries: what a policy wants, as far as functions and payloads
 * were seen to hold it. Pure.
 */

/** Of the time after which a blocking call is answered without a result: what comes later has to be asked for. */
const SHARE_OF_ANSWER = 0.6
/** Of the time that an invocation may run at all. */
const SHARE_OF_TIMEOUT = 0.6
/** Of a payload. */
const SHARE_OF_PAYLOAD = 0.8
/** Signatures are good for a quarter of an hour. */
const MOST_MS = 5 * 60_000
/** What an invocation costs beside its bytes. */
const OVERHEAD_MS = 200
/** Of a function that was not measured yet: slower than most, so that the first batches end in time. */
const ASSUMED_BYTES_PER_SECOND = 15e6
/** One connection is often slower than the function's network. */
const MOST_PARALLEL = 4
/** Invocations of the most that a function held, after which one with more is tried; after that one failed, twice as many. */
const CALM = 10
/** One task as JSON, before any was seen. */
const ASSUMED_TASK_BYTES = 4096

/** Whole objects: a function hides behind each other what it waits for. */
const MOST_PARALLEL_OBJECTS = 8
/** An engine without a quota gets so many at once, that its messages cost little, */
const MOST_AT_ONCE = 32
/** and so many bytes, that one invocation is not left with all that is large. */
const MOST_BYTES_AT_ONCE = 32 * 1024 ** 2
/** Where invocations are few one is not spent on less, while there is more, for the sake of slots that are free. */
const LEAST_COUNTED = 32
/** Invocations are few where what waits would take more than this share of those that may start in this minute. */
const SHARE_OF_QUOTA = 0.25
/** An invocation has work for so many times what a call costs, which is then a fifth of its time; more only by its share. */
const WORTH = 4
/**
 * What a call costs is measured, and counts up to so many times the usual: where calls wait for containers more of them
 * help nobody, but no invocation is to go on for long while others are idle.
 */
const MOST_COSTLY = 4
/** Where a call costs something the first one does not go with the first object of a list. */
const GATHER_MS = 100
/** Of an object beside its bytes, before any was measured: a few round trips, shared among those that run beside it. */
const ASSUMED_OBJECT_MS = 50
/** The same where stores are near: with too little work an invocation is lost, with too much some tenths of a second. */
const ASSUMED_NEAR_MS = 6

/**
 * @typedef {object} Situation
 * @property {number} waiting items
 * @property {number} bytes of them
 * @property {number} slots invocations at once
 * @property {number} free of them
 * @property {number} perMinute invocations a minute
 * @property {number} startable invocations that may start in this minute
 * @property {number | undefined} msPerByte of one invocation, measured
 *
 * @typedef {object} Policy
 * @property {(situation: Situation) => number} items wanted in an invocation
 * @property {number} mostParallel of its tasks that run at once
 * @property {(situation: Situation) => number} roomBytes of what one carries, at most; a single item always has room
 * @property {number} gatherMs for which the first of them waits for others
 * @property {(times: { elapsedMs: number, workedMs: number }, items: number) => void} took told of invocations that did all they
 *   carried; workedMs: for which the function was at work, which alone says something of its items
 */

/**
 * One part, unless a quota of invocations a minute would then hold the copy back: where `slots` invocations run at once and
 * `perMinute` may start, each has to last slots / perMinute minutes to keep all slots at work.
 *
 * @param {{ partBytes: number, limits: import('../types').EngineLimits }} plan partBytes: of the largest part
 * @returns {Policy}
 */
function partsPolicy({ partBytes, limits }) {
  /** Parts that a function copies in so many milliseconds. @param {number} ms @param {number | undefined} msPerByte */
  function partsIn(ms, msPerByte = 1000 / ASSUMED_BYTES_PER_SECOND) {
    const slowest = Math.max(msPerByte, 1000 / (limits.bytesPerSecond ?? Number.POSITIVE_INFINITY))
    return (ms - OVERHEAD_MS) / slowest / Math.max(1, partBytes)
  }

  return {
    items({ waiting, slots, free, perMinute, startable, msPerByte }) {
      if (waiting <= startable) return 1
      const wanted = Math.ceil(partsIn((slots / perMinute) * 60_000, msPerByte))
      const inTime = partsIn(timelyMs(limits), msPerByte)
      return Math.floor(Math.min(wanted, inTime, fairShare({ waiting, slots, free, startable })))
    },
    mostParallel: MOST_PARALLEL,
    roomBytes: () => Number.POSITIVE_INFINITY,
    gatherMs: 0,
    took() {},
  }
}

/**
 * Whole objects are done in a few milliseconds each. Where invocations are few, as many as are done in time; elsewhere as
 * many as make the cost of a call a small share, and more where there are more for each slot; where a call costs nothing,
 * so many that messages cost little.
 *
 * @param {{ limits: import('../types').EngineLimits }} plan
 * @returns {Policy}
 */
function objectsPolicy({ limits }) {
  const { invocationMs = 0, bytesPerSecond = Number.POSITIVE_INFINITY } = limits
  const costs = invocationMs > 0 || Number.isFinite(limits.perMinute)
  const slowest = Math.min(ASSUMED_BYTES_PER_SECOND, bytesPerSecond)
  /** @type {number | undefined} of one object, with those beside it */
  let msEach
  /** The same, as if there always were as many beside it as there may be. @type {number | undefined} */
  let msBeside
  /** Of a call. */
  let costMs = invocationMs
  /** Objects, and bytes, that are worth an invocation. */
  const worth = () => Math.max(1, Math.ceil((WORTH * costMs) / (msBeside ?? ASSUMED_NEAR_MS)))
  const worthBytes = () => (WORTH * costMs * slowest) / 1000

  /** @param {Situation} situation */
  function isScarce({ waiting, bytes, startable }) {
    const wanted = Math.max(waiting / worth(), bytes / Math.max(1, worthBytes()))
    return wanted > SHARE_OF_QUOTA * startable
  }

  return {
    items(situation) {
      const share = fairShare(situation)
      if (!costs) return Math.min(MOST_AT_ONCE, share)
      const least = isScarce(situation) ? Math.max(LEAST_COUNTED, worth()) : worth()
      const inTime = timelyMs(limits) / (msEach ?? ASSUMED_OBJECT_MS)
      return Math.floor(Math.min(inTime, Math.max(share, least)))
    },
    mostParallel: MOST_PARALLEL_OBJECTS,
    gatherMs: costs ? GATHER_MS : 0,
    roomBytes(situation) {
      if (!costs) return MOST_BYTES_AT_ONCE
      const inTime = (timelyMs(limits) / 1000) * slowest
      if (isScarce(situation)) return inTime
      const { bytes, slots, startable } = situation
      const share = bytes / Math.max(1, Math.min(slots, startable))
      return Math.min(inTime, MOST_BYTES_AT_ONCE, Math.max(worthBytes(), share))
    },
    took({ elapsedMs, workedMs }, items) {
      msEach = smooth(msEach, workedMs / items)
      msBeside = smooth(msBeside, workedMs / Math.max(items, MOST_PARALLEL_OBJECTS))
      const cost = Math.min(MOST_COSTLY * invocationMs, Math.max(invocationMs, elapsedMs - workedMs))
      costMs = smooth(costMs, cost)
    },
  }
}

/** @param {number | undefined} mean so far @param {number} found */
function smooth(mean, found) {
  return mean === undefined ? found : 0.8 * mean + 0.2 * found
}

/** What an invocation may well take. @param {import('../types').EngineLimits} limits */
function timelyMs({ timeoutMs, answerMs }) {
  return Math.min(SHARE_OF_TIMEOUT * timeoutMs, MOST_MS, SHARE_OF_ANSWER * answerMs)
}

/**
 * @param {{ asked: number | undefined, limits: import('../types').EngineLimits, policy: Policy }} plan asked: items an
 *   invocation, where the user wants a number
 */
function createBatching({ asked, limits, policy }) {
  /** What a function, or the payload, held; what it did before its time was up. */
  let held = Number.POSITIVE_INFINITY
  let timely = Number.POSITIVE_INFINITY
  let parallel = policy.mostParallel
  let calm = 0
  let patience = CALM
  let taskBytes = ASSUMED_TASK_BYTES

  return {
    /** @param {Situation} situation @returns {number} at least 1 */
    parts(situation) {
      const carried = Math.floor((SHARE_OF_PAYLOAD * limits.payloadBytes) / taskBytes)
      const wanted = Math.min(asked ?? policy.items(situation), timely, carried)
      if (wanted <= held || calm < patience) return Math.max(1, Math.min(wanted, held))
      // One alone is tried: a wave of them would fail together.
      calm = 0
      return held + 1
    },

    /** @param {Situation} situation */
    room: situation => policy.roomBytes(situation),
    gatherMs: policy.gatherMs,
    took: policy.took,

    /** How many of an invocation's tasks run at once. */
    parallel: () => parallel,

    /**
     * For how many of these tasks, of the first on, a payload has room.
     *
     * @param {import('../types').Task[]} tasks signed
     * @returns {number} at least 1
     */
    fitting(tasks) {
      if (!Number.isFinite(limits.payloadBytes)) return tasks.length
      const sizes = tasks.map(task => Buffer.byteLength(JSON.stringify(task)) + 1)
      const mean = sizes.reduce((sum, bytes) => sum + bytes, 0) / Math.max(1, sizes.length)
      // The next are as large as these; that a few were larger is forgotten again.
      taskBytes = Math.max(ASSUMED_TASK_BYTES, mean, 0.9 * taskBytes + 0.1 * mean)
      let room = SHARE_OF_PAYLOAD * limits.payloadBytes
      const beyond = sizes.findIndex((bytes, i) => {
        room -= bytes
        return room < 0 && i > 0
      })
      return beyond < 0 ? tasks.length : beyond
    },

    /** An invocation with so many tasks was more than a function, or the payload, holds. @param {number} tasks */
    tooMuch(tasks) {
      calm = 0
      if (tasks > held) {
        patience *= 2
        return
      }
      held = Math.max(1, Math.min(held, Math.ceil(tasks / 2)))
      parallel = Math.max(1, Math.ceil(parallel / 2))
    },

    /** An invocation did all of so many tasks: what lowered the number may have passed. @param {number} tasks */
    didAll(tasks) {
      if (tasks >= timely) timely++
      if (tasks > held) {
        held = tasks
        parallel = Math.min(policy.mostParallel, parallel + 1)
      } else if (tasks === held) calm++
    },

    /** An invocation's time was up after so many tasks. @param {number} done */
    ranOut(done) {
      timely = Math.max(1, Math.min(timely, done))
    },
  }
}

/**
 * The last ones are shared among all slots; where the free ones can take them all, in shares hardly larger, none is left
 * for a second round.
 *
 * @param {Pick<Situation, 'waiting' | 'slots' | 'free' | 'startable'>} situation
 */
function fairShare({ waiting, slots, free, startable }) {
  const share = Math.ceil(waiting / Math.max(1, Math.min(slots, startable)))
  const now = Math.ceil(waiting / Math.max(1, Math.min(free, startable)))
  return now <= 2 * share ? Math.max(now, share) : share
}

module.exports = { createBatching, objectsPolicy, partsPolicy }
