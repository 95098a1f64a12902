'use strict'

/**
 * The queue of items to do, and when they may start. Items are taken in batches if some are due, fewer batches than the
 * limit are out, there is no pause, and the quota allows one more. Each item of a batch is done or put back for later, and
 * then the batch is released. A batch has items of one lane; the first lane goes before the next.
 */

const { laneOf } = require('./items')

/** @typedef {import('../types').Clock} Clock */
/** @typedef {import('./items').Item} Item */

/** Items due within this time go together: the failed parts of a batch are put back one after the other. */
const TOGETHER_MS = 50

/**
 * @param {object} rules
 * @param {() => number} rules.limit batches out at once
 * @param {(lane: number, waiting: number, bytes: number) => { most: number, roomBytes: number }} rules.batch the next one: most
 *   items, at least 1, and most bytes, but a single item always fits; waiting: in its lane; bytes: of its items that were not
 *   put back
 * @param {{ waitMs: () => number, started: (taken: Item[]) => void }} rules.quota waitMs: until another batch may start
 * @param {(lane: number) => number} rules.gatherMs how long the first items of an empty lane wait for others, while more
 *   will be added
 * @param {Clock} rules.clock
 */
function createQueue({ limit, batch, quota, gatherMs, clock }) {
  const lanes = [createLane(), createLane()]
  let ended = false
  let out = 0
  let closed = false
  let pausedUntilMs = 0
  /** @type {Array<{ item: Item, dueMs: number }>} items that were put back, the soonest first */
  const later = []
  /** @type {Set<Item>} the items of `later` */
  const delayed = new Set()
  /** @type {Array<(items: Item[] | undefined) => void>} */
  const takers = []
  /** @type {unknown} */
  let timer

  const fresh = () => lanes.reduce((sum, lane) => sum + lane.size(), 0)
  const waiting = () => fresh() + later.length
  const over = () => closed || (ended && waiting() === 0 && out === 0)

  /** When the new items of a lane may go. @param {ReturnType<typeof createLane>} lane */
  const goMs = lane => (lane.size() === 0 ? Number.POSITIVE_INFINITY : ended ? 0 : lane.goMs)

  /** When the next item is due. */
  function dueMs() {
    return Math.min(...lanes.map(goMs), later.length > 0 ? later[0].dueMs : Number.POSITIVE_INFINITY)
  }

  /** @param {number} nowMs @returns {Item[]} items that were put back and are due go first, so that no part is left for the end */
  function nextBatch(nowMs) {
    const due = later.filter(({ dueMs }) => dueMs <= nowMs + TOGETHER_MS)
    const lane = due.length > 0 ? laneOf(due[0].item) : lanes.findIndex(lane => goMs(lane) <= nowMs)
    const putBack = later.filter(({ item }) => laneOf(item) === lane).length
    const { most, roomBytes } = batch(lane, lanes[lane].size() + putBack, lanes[lane].bytes())
    /** @type {Item[]} */
    const taken = []
    let bytes = 0
    /** @param {Item} item @returns {boolean} whether it goes too */
    const take = item => {
      if (taken.length === most || (taken.length > 0 && bytes + item.part.bytes > roomBytes)) return false
      bytes += item.part.bytes
      return taken.push(item) > 0
    }
    for (const { item } of due) if (laneOf(item) === lane && take(item)) drop(item)
    while (lanes[lane].size() > 0 && take(lanes[lane].peek())) lanes[lane].remove(taken.slice(-1))
    return taken
  }

  /** Removes an item that was put back. @param {Item} item */
  function drop(item) {
    if (!delayed.delete(item)) return
    const at = later.findIndex(other => other.item === item)
    later.splice(at, 1)
  }

  function serve() {
    clock.clearTimeout(timer)
    timer = undefined
    if (over()) {
      for (const give of takers.splice(0)) give(undefined)
      return
    }
    const nowMs = clock.now()
    // Read the wait once in each round. If it ended between two reads, no timer would be set.
    let quotaMs = quota.waitMs()
    while (takers.length > 0 && out < limit() && nowMs >= pausedUntilMs && dueMs() <= nowMs && quotaMs === 0) {
      const taken = nextBatch(nowMs)
      out++
      quota.started(taken)
      takers.shift()?.(taken)
      quotaMs = quota.waitMs()
    }
    if (takers.length === 0 || waiting() === 0) return
    const wakeMs = Math.max(dueMs(), pausedUntilMs, nowMs + quotaMs)
    if (wakeMs > nowMs) timer = clock.setTimeout(serve, wakeMs - nowMs)
  }

  return {
    /** @returns {Promise<Item[] | undefined>} undefined: nothing is left to do, or the queue was closed */
    take() {
      return new Promise(resolve => {
        takers.push(resolve)
        serve()
      })
    },
    /** Call it when `limit` may have changed. */
    look: serve,
    /** A taken batch is over. */
    release() {
      out--
      serve()
    },
    /** Puts an item back for later. If it already waits, nothing changes. @param {Item} item @param {number} delayMs */
    putBack(item, delayMs) {
      if (delayed.has(item)) return
      const dueMs = clock.now() + delayMs
      const at = later.findIndex(other => other.dueMs > dueMs)
      later.splice(at < 0 ? later.length : at, 0, { item, dueMs })
      delayed.add(item)
      serve()
    },
    /** Adds items at the end of their lanes. @param {Item[]} more */
    add(more) {
      for (const item of more) {
        const lane = laneOf(item)
        const waitMs = gatherMs(lane)
        // Without a wait an item is due at any time of the clock, which may be set back.
        lanes[lane].add(item, waitMs > 0 ? clock.now() + waitMs : 0)
      }
      serve()
    },
    /** Nothing more will be added. */
    end() {
      ended = true
      serve()
    },
    drop,
    /** Removes items that will not be done. @param {Set<Item>} items */
    remove(items) {
      for (const lane of lanes) lane.remove(items)
      for (const item of items) drop(item)
      serve()
    },
    /** Starts nothing for so long. @param {number} forMs @returns {number} how long nothing starts, which may be longer */
    pause(forMs) {
      const nowMs = clock.now()
      pausedUntilMs = Math.max(pausedUntilMs, nowMs + forMs)
      return pausedUntilMs - nowMs
    },
    close() {
      closed = true
      serve()
    },
    /** Whether an item was put back and waits. @param {Item} item */
    has: item => delayed.has(item),
    /** From when on a slot is free that nothing waits for. @returns {number} epoch; Infinity: not known yet */
    idleMs() {
      const nowMs = clock.now()
      if (closed || out >= limit() || dueMs() <= nowMs) return Number.POSITIVE_INFINITY
      return Math.max(nowMs, pausedUntilMs, nowMs + quota.waitMs())
    },
    /** Why none of the items that wait is due: a pause, or all of them were put back for later. @returns {'paused' | 'later' | undefined} */
    standstill() {
      const nowMs = clock.now()
      if (pausedUntilMs > nowMs) return 'paused'
      return fresh() === 0 && dueMs() > nowMs ? 'later' : undefined
    },
    /** The number of items that are not taken. */
    waiting,
    /** The number of batches taken and not released. */
    out: () => out,
    /** Whether a free worker should take another batch. */
    open: () => !over(),
  }
}

/** A first-in, first-out queue. */
function createLane() {
  /** A set, so that a look-up stays fast with thousands. @type {Set<Item>} */
  const items = new Set()
  /** Goes on behind the items that were taken: from its beginning a set passes every place that was left. */
  let order = items.values()
  /** @type {Item | undefined} */
  let head
  let bytes = 0

  /** @returns {Item} where there is one */
  function peek() {
    while (head === undefined || !items.has(head)) {
      head = order.next().value
      if (head === undefined) order = items.values()
    }
    return head
  }

  return {
    /** When the first item may go; epoch. */
    goMs: 0,
    size: () => items.size,
    bytes: () => bytes,
    /** @param {Item} item @param {number} goMs */
    add(item, goMs) {
      if (items.size === 0) this.goMs = goMs
      items.add(item)
      bytes += item.part.bytes
    },
    peek,
    /** @param {Iterable<Item>} gone those of them that are in it */
    remove(gone) {
      for (const item of gone) if (items.delete(item)) bytes -= item.part.bytes
    },
  }
}

module.exports = { createQueue }
