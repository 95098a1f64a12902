'use strict'

/**
 * The queue of items to do, and when they may start. Items are taken in batches if some are due, fewer batches than the
 * limit are out, there is no pause, and the quota allows one more. Each item of a batch is done or put back for later, and
 * then the batch is released. A batch has items of one lane; the first lane goes before the next.
 */

/** @typedef {import('../types').Clock} Clock */

/**
 * Items are parts to copy; flights are the invocations in flight with their items. A hedged part is in two flights at once.
 *
 * @typedef {object} Item
 * @property {import('../types').Part} part
 * @property {Group} group
 * @property {number} attempt 1 for the first
 * @property {number} excused failures that it did not cause, and that did not count as attempts
 * @property {boolean} uncertain an invocation with an unknown outcome may have copied it
 * @property {import('../types').TaskSuccess | undefined} done
 * @property {boolean} [shown] the destination has shown it, and one flight alone had it
 * @property {boolean} gone its group failed: it will not be copied
 * @property {Set<Flight>} flights that it is in now
 *
 * @typedef {object} Flight
 * @property {Item[]} items
 * @property {number} open number of items that are not done
 * @property {number} takenMs epoch; when its items were taken from the queue
 * @property {number} startedMs epoch; when it was sent
 * @property {number} totalBytes of all its items
 * @property {boolean} mayHedge its pending items may be started a second time; false once they were, and if a group forbids it
 * @property {boolean} mayAsk the destination may be asked for its parts if it is late; false once it was, and if a group forbids
 *   hedging
 * @property {number} [waitsMs] epoch; since when its result may never be told: the platform has answered without it
 * @property {AbortController} controller aborts the invocation
 * @property {Promise<unknown>} [detached] settles when a function has ended that went on after its wait was aborted
 */

/** @param {Item[]} items @param {number} takenMs @returns {Flight} */
function startFlight(items, takenMs) {
  const mayHedge = hedges(items)
  /** @type {Flight} */
  const flight = {
    items,
    open: items.length,
    takenMs,
    startedMs: takenMs,
    totalBytes: bytesOf(items),
    mayHedge,
    mayAsk: mayHedge,
    controller: new AbortController(),
  }
  for (const item of items) item.flights.add(flight)
  return flight
}

/** @param {Flight} flight @param {Item[]} [items] all of them if absent */
function leave(flight, items = flight.items) {
  for (const item of items) item.flights.delete(flight)
}

/** Those of its items that are in it. @param {Flight} flight */
function carriedBy(flight) {
  /** @type {Item[]} */
  const carried = []
  for (const item of flight.items) if (item.flights.has(flight)) carried.push(item)
  return carried
}

/** @param {Item[]} items */
function hedges(items) {
  for (const { group } of items) if (group.how.hedge !== true) return false
  return true
}

/** @param {Item} item */
function isPending({ done, gone }) {
  return !done && !gone
}

/** @param {Item[]} items */
function bytesOf(items) {
  let bytes = 0
  for (const { part } of items) bytes += part.bytes
  return bytes
}

/**
 * Groups of parts that succeed or fail together.
 *
 * @typedef {import('../types').Part} Part
 * @typedef {import('../types').TaskSuccess} TaskSuccess
 * @typedef {import('../types').XferError} XferError
 *
 * @typedef {object} GroupHow
 * @property {(part: Part) => Promise<import('../types').Task>} sign called for each attempt, so that no retry has an expired signature
 * @property {(error: import('../types').TaskError, part: Part) => XferError} explain
 * @property {(outcome: TaskSuccess, attempt: number) => XferError | undefined} [check] checks the outcome of a
 *   written part; an error means that it does not count
 * @property {(parts: Part[], signal: AbortSignal) => Promise<TaskSuccess[]>} [settle] asks the destination which of these
 *   parts it has, after an invocation whose outcome is unknown may have copied them
 * @property {boolean} [hedge] whether a straggler of it may be hedged: started a second time
 * @property {(outcome: TaskSuccess) => void} [done] is called for each part once it is done, before its event
 * @property {(event: import('../types').SchedulerEvent) => void} emit for events about its parts
 * @property {AbortSignal} [signal] ends it alone, at once
 * @property {import('../types').Engine['run']} [runAlone] runs its invocations, none of which has parts of another group
 * @property {0 | 1} [lane] 0: parts of large objects, which go first; 1: small objects, many in an invocation
 *
 * @typedef {object} Group
 * @property {GroupHow} how
 * @property {0 | 1} lane as of `GroupHow`; 0 when absent there
 * @property {Item[]} items
 * @property {number} left parts that are not done
 * @property {number} flying flights with any of its parts
 * @property {number} asking open requests for which of its parts the destination has
 * @property {boolean} settles false once the destination refused to say which parts it has
 * @property {AbortController | undefined} over aborts those requests once the group is over; created for the first
 * @property {XferError | undefined} failure
 * @property {{ sinceMs: number, times: number }} [refused] one that runs alone: since when, and how often
 * @property {Promise<TaskSuccess[]>} ended
 * @property {(outcomes: TaskSuccess[]) => void} resolve
 * @property {(error: XferError) => void} reject
 */

/** @param {GroupHow} how @param {Part[]} parts @returns {Group} */
function createGroup(how, parts) {
  /** @type {any} */
  const group = {
    how,
    lane: how.lane ?? 0,
    left: parts.length,
    flying: 0,
    asking: 0,
    settles: true,
    over: undefined,
    failure: undefined,
  }
  group.ended = new Promise((resolve, reject) => Object.assign(group, { resolve, reject }))
  group.items = []
  for (const part of parts) {
    const flights = new Set()
    group.items.push({ part, group, attempt: 1, excused: 0, uncertain: false, done: undefined, gone: false, flights })
  }
  return group
}

/** @param {Item[]} items @returns {Map<Group, Item[]>} */
function byGroup(items) {
  /** @type {Map<Group, Item[]>} */
  const groups = new Map()
  for (const item of items) {
    const known = groups.get(item.group)
    if (known) known.push(item)
    else groups.set(item.group, [item])
  }
  return groups
}

/** Items due within this time go together: the failed parts of a batch are put back one after the other. */
const TOGETHER_MS = 50

/**
 * @param {object} rules
 * @param {() => number} rules.limit batches out at once
 * @param {(lane: number, waiting: number, bytes: number) => { most: number, mostBytes: number }} rules.batch the next one: most
 *   items, at least 1, and most bytes, but a single item always fits; waiting: in its lane; bytes: of its items that were not
 *   put back
 * @param {{ waitMs: () => number, started: (taken: Item[]) => void }} rules.quota waitMs: until another batch may start
 * @param {number[]} rules.gatherMs by lane: how long the first items of an empty one wait for others, while more will be added
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

  const waiting = () => lanes[0].items.size + lanes[1].items.size + later.length
  const over = () => closed || (ended && out === 0 && waiting() === 0)

  /** When the next item is due. */
  function dueMs() {
    const laterMs = later.length > 0 ? later[0].dueMs : Number.POSITIVE_INFINITY
    return Math.min(lanes[0].goMs, lanes[1].goMs, laterMs)
  }

  /** @param {number} nowMs @returns {Item[]} items that were put back and are due go first, so that no part is left for the end */
  function nextBatch(nowMs) {
    /** @type {Item[]} */
    const due = []
    for (const { item, dueMs } of later) if (dueMs <= nowMs + TOGETHER_MS) due.push(item)
    const lane = due.length > 0 ? due[0].group.lane : lanes[0].goMs <= nowMs ? 0 : 1
    let together = lanes[lane].items.size
    for (const { item } of later) if (item.group.lane === lane) together++
    const { most, mostBytes } = batch(lane, together, lanes[lane].bytes)
    /** @type {Item[]} */
    const taken = []
    let bytes = 0
    /** @param {Item} item @returns {boolean} whether it goes too */
    const take = item => {
      if (taken.length === most || (taken.length > 0 && bytes + item.part.bytes > mostBytes)) return false
      bytes += item.part.bytes
      return taken.push(item) > 0
    }
    for (const item of due) if (item.group.lane === lane && take(item)) drop(item)
    lanes[lane].takeWhile(take)
    return taken
  }

  /** Removes an item that was put back. @param {Item} item */
  function drop(item) {
    if (!delayed.delete(item)) return
    const at = later.findIndex(other => other.item === item)
    later.splice(at, 1)
  }

  /** Puts an item back for later. If it already waits, nothing changes. @param {Item} item @param {number} delayMs */
  function putBack(item, delayMs) {
    if (delayed.has(item)) return
    const dueMs = clock.now() + delayMs
    const at = later.findIndex(other => other.dueMs > dueMs)
    later.splice(at < 0 ? later.length : at, 0, { item, dueMs })
    delayed.add(item)
    serve()
  }

  function serve() {
    clock.clearTimeout(timer)
    timer = undefined
    if (over()) {
      for (const give of takers.splice(0)) give(undefined)
      return
    }
    if (takers.length === 0) return
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
    putBack,
    /** Starts an item a second time, beside the flight that has it. @param {Item} item @param {number} elapsedMs since that began */
    hedge(item, elapsedMs) {
      const { partNumber, bytes } = item.part
      item.group.how.emit({ type: 'hedge', partNumber, bytes, elapsedMs })
      putBack(item, 0)
    },
    /** Adds items at the end of their lanes. @param {Item[]} more */
    add(more) {
      let news = false
      for (const item of more) {
        const lane = lanes[item.group.lane]
        if (lane.items.size === 0) {
          const waitMs = ended ? 0 : gatherMs[item.group.lane]
          // Without a wait an item is due at any time of the clock, which may be set back.
          lane.goMs = waitMs > 0 ? clock.now() + waitMs : 0
          news = true
        }
        lane.items.add(item)
        lane.bytes += item.part.bytes
      }
      // What keeps those before it from starting keeps an item behind them, too.
      if (news) serve()
    },
    /** Nothing more will be added. */
    end() {
      ended = true
      for (const lane of lanes) if (lane.items.size > 0) lane.goMs = 0
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
      return waiting() === later.length && dueMs() > nowMs ? 'later' : undefined
    },
    /** The number of items that are not taken. */
    waiting,
    /** The number of batches taken and not released. */
    out: () => out,
    /** Whether no worker should take another batch. */
    over,
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

  return {
    /** When the first item may go; epoch. Infinity: there is none. */
    goMs: Number.POSITIVE_INFINITY,
    items,
    /** Of all items. */
    bytes: 0,

    /** Takes items from the front, up to the first that does not go. @param {(item: Item) => boolean} goes */
    takeWhile(goes) {
      while (items.size > 0) {
        while (head === undefined || !items.has(head)) {
          head = order.next().value
          if (head === undefined) order = items.values()
        }
        if (!goes(head)) return
        items.delete(head)
        this.bytes -= head.part.bytes
      }
      this.goMs = Number.POSITIVE_INFINITY
    },

    /** @param {Iterable<Item>} gone those of them that are in it */
    remove(gone) {
      for (const item of gone) if (items.delete(item)) this.bytes -= item.part.bytes
      if (items.size === 0) this.goMs = Number.POSITIVE_INFINITY
    },
  }
}

module.exports = {
  createQueue,
  createGroup,
  byGroup,
  bytesOf,
  startFlight,
  leave,
  carriedBy,
  hedges,
  isPending,
}
