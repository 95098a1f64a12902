'use strict'

/** How much may be in flight below a prefix. */

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

/** Fits no room, so that it starts alone. */
const ALONE = Number.MAX_SAFE_INTEGER

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

/**
 * Limits the work in flight: callers wait until there is room. Work larger than the limit starts alone. Pure but for its
 * promises.
 *
 * @param {number} most
 * @param {() => void} [onWait] called when work has to wait
 */
function createRoom(most, onWait = () => {}) {
  let room = most
  let taken = 0
  /** @type {Array<{ size: number, enter: (value?: any) => void }>} in order of arrival */
  const waiting = []

  const fits = (/** @type {number} */ size) => taken === 0 || taken + size <= room
  const wait = (/** @type {number} */ size) => new Promise(resolve => waiting.push({ size, enter: resolve }))

  function serve() {
    while (waiting.length > 0 && fits(waiting[0].size)) {
      const { size, enter } = /** @type {typeof waiting[0]} */ (waiting.shift())
      taken += size
      enter()
    }
  }

  /** @param {number} size that entered */
  function leave(size) {
    taken -= size
    serve()
  }

  return {
    /** @param {number} size @returns {Promise<void>} resolves once the work may start; call `leave` at its end */
    async enter(size) {
      const entered = wait(size)
      serve()
      if (waiting.length > 0) onWait()
      await entered
    },

    leave,

    /** @param {number} least the limit rises to this, if it is lower */
    widen(least) {
      room = Math.max(room, least)
      serve()
    },

    /** @returns {Promise<void>} resolves once nothing is in flight */
    async empty() {
      if (taken === 0) return
      await wait(ALONE)
      leave(ALONE)
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

module.exports = { createFirstAlone, createRoom, createRooms }
