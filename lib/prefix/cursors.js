'use strict'

/**
 * How far each range of names has been done, with much of it under way at once: up to a range's cursor all is done, so
 * that is where another run goes on. What is done is forgotten, though something before it may take hours. Pure.
 *
 * @typedef {{ number: number, before: string | undefined }} Entry number: in the order in which they began; before: all
 *   names up to this one stand before it
 * @typedef {object} Range
 * @property {string | undefined} until the last name that is its; undefined: to the end
 * @property {string | undefined} through names up to it have been given
 * @property {Set<Entry>} begun those that are not over, in order
 * @property {Entry | undefined} left the first one that another run has to look at
 * @property {boolean} ended all its names have been given
 */

/** @param {Array<{ id: number, after?: string, until?: string }>} ranges to begin with */
function createCursors(ranges) {
  /** @type {Map<number, Range>} those that are not over */
  const open = new Map()
  let began = 0
  for (const range of ranges) add(range)

  /** @param {{ id: number, after?: string, until?: string }} range */
  function add({ id, after, until }) {
    open.set(id, { until, through: after, begun: new Set(), left: undefined, ended: false })
  }

  /** @param {number} id @param {Range} range */
  function closeEnded(id, { ended, begun, left }) {
    if (ended && begun.size === 0 && !left) open.delete(id)
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
      const entry = { number: ++began, before: range.through }
      range.begun.add(entry)
      range.through = name
      return (done = true) => {
        if (!range.begun.delete(entry)) return
        if (!done && (!range.left || entry.number < range.left.number)) range.left = entry
        closeEnded(id, range)
      }
    },

    /** All names up to this one have been given, and those that had to be have begun. @param {number} id @param {string} through */
    gave(id, through) {
      const range = /** @type {Range} */ (open.get(id))
      range.through = through
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
        const cursor = cursorOf(range)
        return {
          id,
          ...(cursor !== undefined && { after: cursor }),
          ...(range.until !== undefined && { until: range.until }),
        }
      })
    },
  }
}

/** @param {Range} range @returns {string | undefined} all up to it is done; undefined: nothing is */
function cursorOf({ begun, left, through }) {
  const [first] = begun
  if (left && (!first || left.number < first.number)) return left.before
  return first ? first.before : through
}

module.exports = { createCursors }
