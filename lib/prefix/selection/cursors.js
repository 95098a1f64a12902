'use strict'

/**
 * The progress of each range of names while many objects are in flight. Everything up to a range's cursor is done, so a
 * resumed run starts there. Finished objects are not remembered one by one, even if an earlier one takes hours. Pure.
 *
 * @typedef {{ number: number, before: string | undefined, counts: Counts }} Entry number: by order of start;
 *   before: the last name before it; counts: of the names up to `before`
 * @typedef {object} Range
 * @property {string | undefined} until the last name of the range; undefined: to the end
 * @property {Pick<Entry, 'before' | 'counts'>} judged the names up to `before` were listed and judged; counts of those names
 * @property {Counts} counts of all names that were listed and judged
 * @property {Set<Entry>} begun in flight, in order
 * @property {Entry | undefined} left the first one that a resumed run has to process again
 * @property {boolean} ended all names of the range were listed and judged
 */

/** Objects of the source. @typedef {NonNullable<NonNullable<import('../../types').JobState['prefix']>['done']>} Counts */

const NONE = Object.freeze({ listed: 0, skipped: 0, filtered: 0 })

/**
 * @param {Array<{ id: number, after?: string, until?: string }>} ranges to start with
 * @param {Counts} [done] of the names outside of these ranges
 */
function createCursors(ranges, done = NONE) {
  /** @type {Map<number, Range>} unfinished ranges */
  const open = new Map()
  let began = 0
  /** Counts of finished ranges. */
  let over = { ...done }
  for (const range of ranges) add(range)

  /** @param {{ id: number, after?: string, until?: string }} range */
  function add({ id, after, until }) {
    open.set(id, {
      until,
      judged: { before: after, counts: NONE },
      counts: { ...NONE },
      begun: new Set(),
      left: undefined,
      ended: false,
    })
  }

  /** @param {number} id @param {Range} range */
  function closeEnded(id, { ended, begun, left, judged }) {
    if (!ended || begun.size > 0 || left) return
    over = sum(over, judged.counts)
    open.delete(id)
  }

  return {
    add,

    /** Ends the range earlier: the names after `until` became a range of their own. @param {number} id @param {string} until */
    split(id, until) {
      const range = open.get(id)
      if (range) range.until = until
    },

    /**
     * Starts an object; all names before it were listed and judged.
     *
     * @param {number} id
     * @param {string} name greater than all earlier names of its range
     * @returns {(done?: boolean) => void} call it once the object is finished; done: false if a resumed run has to process it again
     */
    begin(id, name) {
      const range = /** @type {Range} */ (open.get(id))
      const entry = { number: ++began, ...range.judged }
      range.begun.add(entry)
      range.judged = { before: name, counts: { ...range.counts } }
      return (done = true) => {
        if (!range.begun.delete(entry)) return
        if (!done && (!range.left || entry.number < range.left.number)) range.left = entry
        closeEnded(id, range)
      }
    },

    /**
     * Counts one more object of the source; call it before `begin`.
     *
     * @param {number} id
     * @param {'skipped' | 'filtered'} [as]
     */
    counted(id, as) {
      const range = /** @type {Range} */ (open.get(id))
      range.counts.listed++
      if (as) range.counts[as]++
    },

    /** All names up to this one were listed and judged, and the chosen ones have started. @param {number} id @param {string} through */
    gave(id, through) {
      const range = /** @type {Range} */ (open.get(id))
      range.judged = { before: through, counts: { ...range.counts } }
    },

    /** All names of the range were listed and judged. @param {number} id */
    end(id) {
      const range = /** @type {Range} */ (open.get(id))
      range.ended = true
      closeEnded(id, range)
    },

    /** What a resumed run has to list. @returns {Array<{ id: number, after?: string, until?: string }>} empty if all is done */
    ranges: () => [...open].map(([id, range]) => ({ id, after: cursorOf(range).before, until: range.until })),

    /** Counts of the names outside of these ranges. @returns {Counts} */
    done: () => [...open.values()].map(range => cursorOf(range).counts).reduce(sum, over),
  }
}

/** @param {Range} range @returns {Pick<Entry, 'before' | 'counts'>} before: the last name of which it and all names before it are done; undefined: none is */
function cursorOf({ begun, left, judged }) {
  const [first] = begun
  if (left && (!first || left.number < first.number)) return left
  return first ?? judged
}

/** @param {Counts} a @param {Counts} b @returns {Counts} */
function sum(a, b) {
  return { listed: a.listed + b.listed, skipped: a.skipped + b.skipped, filtered: a.filtered + b.filtered }
}

module.exports = { createCursors }
