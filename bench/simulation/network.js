'use strict'

/**
 * A fluid model of the network: a function's connections share its bandwidth, no connection gets more than its own limit, and
 * all functions together get no more than the stores' bandwidth. "Work" is time as the functions see it: it passes more
 * slowly while the stores are the bottleneck, so that a change of the total moves one timer and not a thousand.
 */

const { createHeap } = require('./heap')

/** Fewer bytes than this are a rounding error: the body is complete. */
const NOTHING_BYTES = 1

/**
 * @typedef {object} Flow
 * @property {number} left bytes
 * @property {number} most bytes a millisecond that the connection can carry alone
 * @property {number} rate bytes a millisecond of work
 * @property {(done: boolean) => void} end
 *
 * @typedef {ReturnType<ReturnType<typeof createNetwork>['open']>} Link
 */

/**
 * @param {{ clock: import('./clock').VirtualClock, mostPerMs: number }} network mostPerMs: bandwidth of all together, in bytes
 */
function createNetwork({ clock, mostPerMs }) {
  let work = 0
  let sinceMs = clock.now()
  let demand = 0
  let pace = 1
  /** @type {unknown} */
  let timer
  /** @typedef {{ atWork: number, fire: (() => void) | undefined }} Due */
  /** @type {import('./heap').Heap<Due>} */
  const dues = createHeap((a, b) => a.atWork < b.atWork)

  function advance() {
    const nowMs = clock.now()
    work += (nowMs - sinceMs) * pace
    sinceMs = nowMs
  }

  function arm() {
    clock.clearTimeout(timer)
    let top = dues.peek()
    while (top && !top.fire) {
      dues.pop()
      top = dues.peek()
    }
    if (top) timer = clock.setTimeout(wake, (top.atWork - work) / pace)
  }

  function wake() {
    advance()
    const due = dues.pop()
    if (due?.fire) {
      // The remaining time can be shorter than the clock's precision.
      work = Math.max(work, due.atWork)
      due.fire()
    }
    arm()
  }

  /**
   * A container's own share of the network, a token bucket: it is faster until its burst is used up, and saves for the next one while
   * it moves less than its steady rate.
   *
   * @param {{ bytesPerMs: number, burst?: { bytes: number, times: number, saved?: number, asOfMs?: number } }} container bytesPerMs: steady;
   *   burst: bytes beyond the steady rate, and how many times as fast; saved: what is left of it
   */
  function open({ bytesPerMs: steady, burst = { bytes: 0, times: 1 } }) {
    /** @type {Set<Flow>} */
    const flows = new Set()
    let asOf = 0
    const idleMs = clock.now() - (burst.asOfMs ?? clock.now())
    let saved = Math.min(burst.bytes, (burst.saved ?? burst.bytes) + idleMs * steady)
    let wanted = 0
    /** @type {Due | undefined} */
    let due

    function progress() {
      advance()
      for (const flow of flows) flow.left -= flow.rate * (work - asOf)
      saved = Math.max(0, Math.min(burst.bytes, saved - (wanted - steady) * (work - asOf)))
      if (saved < NOTHING_BYTES) saved = 0
      Object.assign(burst, { saved, asOfMs: clock.now() })
      asOf = work
    }

    function reshape() {
      const total = share(flows, saved > 0 ? steady * burst.times : steady)
      demand += total - wanted
      wanted = total
      pace = demand > mostPerMs ? mostPerMs / demand : 1
      if (due) due.fire = undefined
      const emptied = saved > 0 && total > steady ? saved / (total - steady) : Number.POSITIVE_INFINITY
      const soonest = Math.min(emptied, ...[...flows].map(flow => flow.left / flow.rate))
      due = flows.size > 0 ? { atWork: work + Math.max(0, soonest), fire } : undefined
      if (due) dues.push(due)
    }

    function fire() {
      progress()
      for (const flow of flows) {
        if (flow.left < NOTHING_BYTES && flows.delete(flow)) flow.end(true)
      }
      reshape()
    }

    return {
      /** @param {number} bytes @param {number} most a millisecond @returns {Promise<boolean>} false: it was cut */
      send(bytes, most) {
        return new Promise(end => {
          progress()
          flows.add({ left: bytes, most, rate: 0, end })
          reshape()
          arm()
        })
      },
      /** Ends all transfers in flight. */
      cut() {
        progress()
        for (const flow of flows) flow.end(false)
        flows.clear()
        reshape()
        arm()
      },
    }
  }

  return { open }
}

/** Shares bandwidth evenly; what one flow cannot use goes to the others. @param {Set<Flow>} flows @param {number} perMs @returns {number} what they use */
function share(flows, perMs) {
  let left = perMs
  let others = flows.size
  for (const flow of [...flows].sort((a, b) => a.most - b.most)) {
    flow.rate = Math.min(flow.most, left / others)
    left -= flow.rate
    others--
  }
  return perMs - left
}

module.exports = { createNetwork }
