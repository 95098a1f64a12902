'use strict'

/** How much may be in flight below a prefix. */

const { createRoom } = require('../../async')

/** Small objects in flight, at least. Most of them wait in the queue, so that invocations are full. */
const MOST_SMALL = 4_096
/** Small objects in flight for each concurrent invocation, and their total limit. */
const SMALL_EACH = 64
/** The same on this machine: an invocation costs nothing, so twice as many as it copies at once are enough, and memory is less. */
const SMALL_EACH_HERE = 4
const LEAST_HERE = 128
const MOST_SMALL_OF_ALL = 20_000
/** Objects in flight for each concurrent server-side copy. */
const QUEUED_EACH = 4
/** Objects in parts in flight, as parts, for each concurrent invocation. */
const PARTS_EACH = 2
/** Pairs that are compared at once with `--checksum`. */
const MOST_COMPARED = 128

/**
 * How much of each kind may be in flight. Small objects are written in one request each, a few thousand at once. Large
 * ones are written in parts, only as many at once as keep the engine busy, because each has an open upload.
 *
 * @param {{ concurrency: number, server: boolean, here?: boolean, onWait?: () => void }} how of the way that most go; here: invocations run on this
 *   machine; onWait: called when work has to wait for room
 */
function createRooms({ concurrency, server, here = false, onWait }) {
  const mostSmall = (/** @type {number} */ most) =>
    here
      ? Math.max(LEAST_HERE, most * SMALL_EACH_HERE)
      : Math.min(MOST_SMALL_OF_ALL, Math.max(MOST_SMALL, most * SMALL_EACH))
  const compared = createRoom(MOST_COMPARED, onWait)
  // A server-side copy is one request: there is no invocation to fill.
  const small = createRoom(server ? QUEUED_EACH * concurrency : mostSmall(concurrency), onWait)
  const parts = createRoom(PARTS_EACH * concurrency, onWait)
  return {
    compared,
    small,
    parts,

    /** @param {number} more the concurrency of a way that is opened later */
    widen(more) {
      small.widen(mostSmall(more))
      parts.widen(PARTS_EACH * more)
    },

    /** Resolves once nothing is in flight. */
    async idle() {
      await compared.empty()
      await Promise.all([small.empty(), parts.empty()])
    },
  }
}

/** Runs writes one by one until the first has succeeded. */
function createFirstAlone() {
  let through = false
  /** @type {Promise<unknown> | undefined} */
  let first
  /** @template T @param {() => Promise<T>} write @returns {Promise<T>} */
  return async write => {
    while (!through && first) await first.catch(() => {})
    if (through) return await write()
    const written = write()
    first = written
    try {
      const done = await written
      through = true
      return done
    } finally {
      first = undefined
    }
  }
}

module.exports = { createFirstAlone, createRooms }
