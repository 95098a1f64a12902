'use strict'

/** The bars of a waterfall: of any number at most some 4,000, among them those that failed, were repeated, or took longest. */

const { createLanes } = require('./lanes')

/** How many of each kind are kept; of the usual ones some of all times. */
const MOST = { usual: 2_000, retried: 700, hedged: 300, failed: 1_000 }
const MOST_SLOWEST = 20
/** Longer names are cut. */
const MOST_CHARS = 120

/**
 * @typedef {object} Bar
 * @property {number} startMs since the beginning of the job
 * @property {number} endMs the same as its start, if it is only known when it ended
 * @property {number} bytes
 * @property {keyof typeof MOST} kind retried: it succeeded after a retry; failed: it failed, or one attempt of it did
 * @property {string} name
 * @property {number} [attempt]
 * @property {string} [code] of its failure
 */

function createBars() {
  /** @type {Record<keyof typeof MOST, Bar[]>} */
  const kept = { usual: [], retried: [], hedged: [], failed: [] }
  /** Descending. @type {Bar[]} */
  const slowest = []
  let seen = 0
  let usual = 0
  /** Of the usual ones each n-th is kept. */
  let every = 1

  return {
    /** @param {Bar} bar */
    add(bar) {
      seen++
      if (msOf(bar) > msOf(slowest[MOST_SLOWEST - 1] ?? { startMs: 0, endMs: 0 })) {
        slowest.push(bar)
        slowest.sort((a, b) => msOf(b) - msOf(a)).splice(MOST_SLOWEST)
      }
      const same = kept[bar.kind]
      if (bar.kind !== 'usual') {
        if (same.length < MOST[bar.kind]) same.push(bar)
        return
      }
      if (usual++ % every === 0) same.push(bar)
      if (same.length <= MOST.usual) return
      every *= 2
      kept.usual = same.filter((_, at) => at % 2 === 0)
    },

    data() {
      const { laneOf, count } = createLanes()
      const bars = [...new Set([...Object.values(kept).flat(), ...slowest])].sort((a, b) => a.startMs - b.startMs)
      const rows = bars.map(bar => ({ lane: laneOf(bar.startMs, bar.endMs), ...shown(bar) }))
      return { seen, rows, lanes: count(), slowest: slowest.map(shown) }
    },
  }
}

/** @param {Pick<Bar, 'startMs' | 'endMs'>} bar */
const msOf = ({ startMs, endMs }) => endMs - startMs

/** @param {Bar} bar @returns {Bar} */
function shown({ name, startMs, endMs, ...bar }) {
  return { ...bar, startMs: Math.round(startMs), endMs: Math.round(endMs), name: shortened(name, MOST_CHARS) }
}

/** @param {string} text @param {number} chars @returns {string} without its middle, if it is longer */
function shortened(text, chars) {
  return text.length <= chars ? text : `${text.slice(0, chars / 2)}…${text.slice(1 - chars / 2)}`
}

module.exports = { createBars, shortened }
