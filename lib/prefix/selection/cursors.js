'use strict'

/**
 * How far each range of names has been done, with much of it under way at once: up to a range's cursor all is done, so
 * that is where another run goes on. What is done is forgotten, though something before it may take hours. Pure.
 *
 * @typedef {{ number: number, before: string | undefined, counts: Counts }} Entry number: in the order in which they began;
 *   before: all names up to this one stand before it; counts: of them
 * @typedef {object} Range
 * @property {string | undefined} until the last name that is its; undefined: to the end
 * @property {string | undefined} through names up to it have been given
 * @property {Counts} done of those names
 * @property {Counts} counts of all that were given
 * @property {Set<Entry>} begun those that are not over, in order
 * @property {Entry | undefined} left the first one that another run has to look at
 * @property {boolean} ended all its names have been given
 */

/** Objects of the source. @typedef {NonNullable<NonNullable<import('../../types').JobState['prefix']>['done']>} Counts */

const NONE = Object.freeze({ listed: 0, skipped: 0, filtered: 0 })

/**
 * @param {Array<{ id: number, after?: string, until?: string }>} ranges to begin with
 * @param {Counts} [done] what is in none of them
 */
function createCursors(ranges, done = NONE) {
  /** @type {Map<number, Range>} those that are not over */
  const open = new Map()
  let began = 0
  /** Of ranges that are over. */
  let over = { ...done }
  for (const range of ranges) add(range)

  /** @param {{ id: number, after?: string, until?: string }} range */
  function add({ id, after, until }) {
    open.set(id, {
      until,
      through: after,
      done: NONE,
      counts: { ...NONE },
      begun: new Set(),
      left: undefined,
      ended: false,
    })
  }

  /** @param {number} id @param {Range} range */
  function closeEnded(id, { ended, begun, left, done: counts }) {
    if (!ended || begun.size > 0 || left) return
    over = sum(over, counts)
    open.delete(id)
  }

  return {
    add,

    /** The range ends earlier, for what is behind it has become another one. @param {number} id @param {string} until */
    split(id, until) {
      const range = open.get(id)
      if (range) range.until = until
    },

    /**
     * All names up to this one have been given, and it begins now.
     *
     * @param {number} id
     * @param {string} name greater than all of its range before
     * @returns {(done?: boolean) => void} to be called once it is over; done: unless another run has to look at it
     */
    begin(id, name) {
      const range = /** @type {Range} */ (open.get(id))
      const entry = { number: ++began, before: range.through, counts: range.done }
      range.begun.add(entry)
      range.through = name
      range.done = { ...range.counts }
      return (done = true) => {
        if (!range.begun.delete(entry)) return
        if (!done && (!range.left || entry.number < range.left.number)) range.left = entry
        closeEnded(id, range)
      }
    },

    /**
     * One more object of the source is given, and begins then if it has to.
     *
     * @param {number} id
     * @param {'skipped' | 'filtered'} [as]
     */
    counted(id, as) {
      const range = /** @type {Range} */ (open.get(id))
      range.counts.listed++
      if (as) range.counts[as]++
    },

    /** All names up to this one have been given, and those that had to be have begun. @param {number} id @param {string} through */
    gave(id, through) {
      const range = /** @type {Range} */ (open.get(id))
      range.through = through
      range.done = { ...range.counts }
    },

    /** @param {number} id all its names have been given */
    end(id) {
      const range = /** @type {Range} */ (open.get(id))
      range.ended = true
      closeEnded(id, range)
    },

    /** Where another run would begin. @returns {Array<{ id: number, after?: string, until?: string }>} none where all is done */
    ranges() {
      return [...open].map(([id, range]) => {
        const { before } = cursorOf(range)
        return {
          id,
          ...(before !== undefined && { after: before }),
          ...(range.until !== undefined && { until: range.until }),
        }
      })
    },

    /** What is in none of these. @returns {Counts} */
    done: () => [...open.values()].map(range => cursorOf(range).counts).reduce(sum, over),
  }
}

/** @param {Range} range @returns {Pick<Entry, 'before' | 'counts'>} all up to it is done; undefined: nothing is */
function cursorOf({ begun, left, through, done }) {
  const [first] = begun
  if (left && (!first || left.number < first.number)) return left
  return first ?? { before: through, counts: done }
}

/** @param {Counts} a @param {Counts} b @returns {Counts} */
function sum(a, b) {
  return { listed: a.listed + b.listed, skipped: a.skipped + b.skipped, filtered: a.filtered + b.filtered }
}

module.exports = { createCursors }
