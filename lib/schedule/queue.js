'use strict'

/**
 * What is to be done, and when it may start. Items are taken by the batch when there are some that are due, fewer
 * batches than the limit are out, no pause is on, and the quota leaves one more; an item of a batch is done or put back
 * for later, and then the batch is released. A batch is of one lane: those of the first come before those of the next.
 */

/** @typedef {import('../types').Clock} Clock */

/** What is due almost together goes together: the parts of a batch that failed are put back one after the other. */
const TOGETHER_MS = 50

/**
 * @template T
 * @param {T[]} items in the order in which they are to start
 * @param {object} rules
 * @param {() => number} rules.limit batches out at once
 * @param {(waiting: number, lane: number, bytes: number) => number} [rules.batch] items in the next batch, at least 1; waiting:
 *   of its lane; bytes: of those that were not put back
 * @param {(item: T) => number} [rules.laneOf] 0 for the first
 * @param {(item: T) => number} [rules.bytesOf] of which a batch has only so much room
 * @param {(waiting: number, lane: number, bytes: number) => number} [rules.room] bytes of a batch, at most; a single item always
 *   has room
 * @param {{ waitMs: () => number, started: () => void }} [rules.quota] waitMs: until another batch may start
 * @param {(lane: number) => number} [rules.gatherMs] how long the first items of an empty lane wait for others to go with, while
 *   more will come
 * @param {boolean} [rules.open] more items will come, until `end`
 * @param {Clock} rules.clock
 */
function createQueue(items, rules) {
  const {
    limit,
    batch = () => 1,
    laneOf = () => 0,
    quota = { waitMs: () => 0, started() {} },
    open = false,
    clock,
  } = rules
  const { bytesOf = () => 0, room = () => Number.POSITIVE_INFINITY, gatherMs = () => 0 } = rules
  /** @type {Array<ReturnType<typeof createLane<T>>>} */
  const lanes = []
  let ended = !open
  let out = 0
  let closed = false
  let pausedUntilMs = 0
  /** @type {Array<{ item: T, dueMs: number }>} put back, the soonest first */
  const later = []
  /** @type {Set<T>} the items of `later` */
  const delayed = new Set()
  /** @type {Array<(items: T[] | undefined) => void>} */
  const takers = []
  /** @type {unknown} */
  let timer
  fill(items)

  /** @param {T[]} more */
  function fill(more) {
    for (const item of more) {
      const lane = laneOf(item)
      while (lanes.length <= lane) lanes.push(createLane(bytesOf))
      const waitMs = gatherMs(lane)
      // What waits for nobody is due whatever the clock says.
      lanes[lane].add(item, waitMs > 0 ? clock.now() + waitMs : 0)
    }
  }

  const fresh = () => lanes.reduce((sum, lane) => sum + lane.size(), 0)
  const waiting = () => fresh() + later.length
  const over = () => closed || (ended && waiting() === 0 && out === 0)

  /** When the fresh ones of a lane go. @param {ReturnType<typeof createLane<T>>} lane */
  const goMs = lane => (lane.size() === 0 ? Number.POSITIVE_INFINITY : ended ? 0 : lane.goMs)

  /** When the next item is due. */
  function dueMs() {
    return Math.min(...lanes.map(goMs), later.length > 0 ? later[0].dueMs : Number.POSITIVE_INFINITY)
  }

  /** @param {number} nowMs @returns {T[]} what was put back and is due goes first, so that no part is left for the very end */
  function nextBatch(nowMs) {
    const due = later.length > 0 && later[0].dueMs <= nowMs + TOGETHER_MS
    const lane = due ? laneOf(later[0].item) : lanes.findIndex(lane => goMs(lane) <= nowMs)
    const waiting = lanes[lane].size() + lanes[lane].delayed
    const most = batch(waiting, lane, lanes[lane].bytes())
    const roomBytes = room(waiting, lane, lanes[lane].bytes())
    /** @type {T[]} */
    const taken = []
    let bytes = 0
    const fits = (/** @type {T} */ item) => taken.length === 0 || bytes + bytesOf(item) <= roomBytes
    const take = (/** @type {T} */ item) => {
      bytes += bytesOf(item)
      taken.push(item)
    }
    for (let i = 0; taken.length < most && later[i]?.dueMs <= nowMs + TOGETHER_MS; ) {
      const { item } = later[i]
      if (laneOf(item) !== lane || !fits(item)) i++
      else {
        take(item)
        removeAt(i)
      }
    }
    while (taken.length < most && lanes[lane].size() > 0 && fits(lanes[lane].peek())) take(lanes[lane].next())
    return taken
  }

  /** @param {number} i of `later` */
  function removeAt(i) {
    const [{ item }] = later.splice(i, 1)
    delayed.delete(item)
    lanes[laneOf(item)].delayed--
  }

  /** @param {T} item */
  function drop(item) {
    if (delayed.has(item)) removeAt(later.findIndex(other => other.item === item))
  }

  function serve() {
    clock.clearTimeout(timer)
    timer = undefined
    if (over()) {
      for (const give of takers.splice(0)) give(undefined)
      return
    }
    const nowMs = clock.now()
    // Asked once a round: time goes on between two questions, and a wait that has ended meanwhile would wake nobody.
    let quotaMs = quota.waitMs()
    while (takers.length > 0 && out < limit() && nowMs >= pausedUntilMs && dueMs() <= nowMs && quotaMs === 0) {
      const taken = nextBatch(nowMs)
      out++
      quota.started()
      takers.shift()?.(taken)
      quotaMs = quota.waitMs()
    }
    if (takers.length === 0 || waiting() === 0) return
    const wakeMs = Math.max(dueMs(), pausedUntilMs, nowMs + quotaMs)
    if (wakeMs > nowMs) timer = clock.setTimeout(serve, wakeMs - nowMs)
  }

  return {
    /** @returns {Promise<T[] | undefined>} undefined: there is nothing more to do, or the queue was closed */
    take() {
      return new Promise(resolve => {
        takers.push(resolve)
        serve()
      })
    },
    /** What `limit` says may be another number now. */
    look: serve,
    /** A batch that was taken is over. */
    release() {
      out--
      serve()
    },
    /** It is to be done, once and not before so long; what waits already goes on waiting. @param {T} item @param {number} delayMs */
    putBack(item, delayMs) {
      if (delayed.has(item)) return
      const dueMs = clock.now() + delayMs
      const at = later.findIndex(other => other.dueMs > dueMs)
      later.splice(at < 0 ? later.length : at, 0, { item, dueMs })
      delayed.add(item)
      lanes[laneOf(item)].delayed++
      serve()
    },
    /** Behind what its lane has. @param {T[]} more */
    add(more) {
      fill(more)
      serve()
    },
    /** Nothing more will be added. */
    end() {
      ended = true
      serve()
    },
    /** It was put back, and is done after all. */
    drop,
    /** None of them is to be done any more. @param {Set<T>} items */
    remove(items) {
      for (const lane of lanes) lane.remove(items)
      for (const item of items) drop(item)
      serve()
    },
    /** Nothing starts before. @param {number} untilMs epoch */
    pause(untilMs) {
      pausedUntilMs = Math.max(pausedUntilMs, untilMs)
    },
    /** For how long still nothing starts. @returns {number} milliseconds */
    pausedMs: () => Math.max(0, pausedUntilMs - clock.now()),
    close() {
      closed = true
      serve()
    },
    /** Whether it was put back, and waits. @param {T} item */
    has: item => delayed.has(item),
    /** From when on one more batch may start that there is nothing to fill with. @returns {number} epoch; Infinity: nobody knows */
    idleMs() {
      const nowMs = clock.now()
      if (closed || out >= limit() || dueMs() <= nowMs) return Number.POSITIVE_INFINITY
      return Math.max(nowMs, pausedUntilMs, nowMs + quota.waitMs())
    },
    /** Items that are not taken. */
    waiting,
    /** Batches taken and not released. */
    out: () => out,
    /** Whether a worker that came free should ask again. */
    open: () => !over(),
  }
}

/** First in, first out. @template T @param {(item: T) => number} bytesOf */
function createLane(bytesOf) {
  /** @type {T[]} */
  let items = []
  let taken = 0
  let bytes = 0
  /** Of `items`, those that were neither taken nor removed: to look for one takes no longer where thousands wait. @type {Set<T>} */
  const within = new Set()

  function first() {
    while (taken < items.length && !within.has(items[taken])) taken++
    return items[taken]
  }

  return {
    /** How many of it were put back, and wait. */
    delayed: 0,
    /** When the first of them is to go, epoch. */
    goMs: 0,
    size: () => within.size,
    bytes: () => bytes,
    /** @param {T} item @param {number} goMs */
    add(item, goMs) {
      if (within.size === 0) this.goMs = goMs
      items.push(item)
      within.add(item)
      bytes += bytesOf(item)
    },
    /** @returns {T} where there is one */
    peek: first,
    /** @returns {T} where there is one */
    next() {
      const item = first()
      taken++
      within.delete(item)
      bytes -= bytesOf(item)
      // What was taken is let go now and then: always would cost as much as there is.
      if (taken > 1_000 && taken > items.length / 2) {
        items = items.slice(taken)
        taken = 0
      }
      return item
    },
    /** @param {Set<T>} gone */
    remove(gone) {
      for (const item of gone) if (within.delete(item)) bytes -= bytesOf(item)
      if (within.size > 0) return
      items = []
      taken = 0
    },
  }
}

module.exports = { createQueue }
