'use strict'

/**
 * How many parts an invocation carries. One, unless a quota of invocations a minute would then hold the copy back: where
 * `slots` invocations run at once and `perMinute` may start, each has to last slots / perMinute minutes to keep all
 * slots at work. Pure.
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

/**
 * @typedef {object} Situation
 * @property {number} waiting parts
 * @property {number} slots invocations at once
 * @property {number} free of them
 * @property {number} perMinute invocations a minute
 * @property {number} startable invocations that may start in this minute
 * @property {number | undefined} msPerByte of one invocation, measured
 */

/**
 * @param {{ asked: number | undefined, partBytes: number, limits: import('../types').EngineLimits }} plan asked: parts an
 *   invocation, where the user wants a number; partBytes: of the largest part
 */
function createBatching({ asked, partBytes, limits }) {
  /** What a function, or the payload, held; what it did before its time was up. */
  let held = Number.POSITIVE_INFINITY
  let timely = Number.POSITIVE_INFINITY
  let parallel = MOST_PARALLEL
  let calm = 0
  let patience = CALM
  let taskBytes = ASSUMED_TASK_BYTES

  /** Parts that a function copies in so many milliseconds. @param {number} ms @param {number | undefined} msPerByte */
  function partsIn(ms, msPerByte = 1000 / ASSUMED_BYTES_PER_SECOND) {
    const slowest = Math.max(msPerByte, 1000 / (limits.bytesPerSecond ?? Number.POSITIVE_INFINITY))
    return (ms - OVERHEAD_MS) / slowest / Math.max(1, partBytes)
  }

  /** @param {Situation} situation */
  function automatic({ waiting, slots, free, perMinute, startable, msPerByte }) {
    const { timeoutMs, answerMs } = limits
    if (waiting <= startable) return 1
    const wanted = Math.ceil(partsIn((slots / perMinute) * 60_000, msPerByte))
    const longestMs = Math.min(SHARE_OF_TIMEOUT * timeoutMs, MOST_MS)
    const inTime = partsIn(Math.min(longestMs, SHARE_OF_ANSWER * answerMs), msPerByte)
    return Math.floor(Math.min(wanted, inTime, fairShare({ waiting, slots, free, startable })))
  }

  return {
    /** @param {Situation} situation @returns {number} at least 1 */
    parts(situation) {
      const carried = Math.floor((SHARE_OF_PAYLOAD * limits.payloadBytes) / taskBytes)
      const wanted = Math.min(asked ?? automatic(situation), timely, carried)
      if (wanted <= held || calm < patience) return Math.max(1, Math.min(wanted, held))
      // One alone is tried: a wave of them would fail together.
      calm = 0
      return held + 1
    },

    /** How many of an invocation's tasks run at once. */
    parallel: () => parallel,

    /** @param {import('../types').Task} task one that was signed */
    saw(task) {
      taskBytes = Math.max(taskBytes, JSON.stringify(task).length)
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
        parallel = Math.min(MOST_PARALLEL, parallel + 1)
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

module.exports = { createBatching }
