'use strict'

/**
 * Counts what is still to be listed, so that the progress knows how much there is. The listing of a copy goes no faster than
 * the copy; this one runs ahead of it, with one request after the other, and keeps nothing but two numbers.
 */

const { walk } = require('../../listing')

/** @typedef {import('../../types').Pair} Pair */
/** Whether it is through, and how much it has counted. @typedef {{ through: boolean, objects: number, bytes: number }} Ahead */

/**
 * @param {Pick<import('../../types').WalkOptions, 'source' | 'destination' | 'ranges'>} places
 * @param {object} how
 * @param {(pair: Pair) => number | undefined} how.sizeOf in bytes; undefined: it does not count
 * @param {{ objects: number, bytes: number }} [how.from] what was counted before
 */
function createAhead(places, { sizeOf, from = { objects: 0, bytes: 0 } }) {
  const over = new AbortController()
  const ahead = { through: false, ...from }
  /** @type {Promise<void> | undefined} */
  let counting

  async function count() {
    for await (const step of walk({ ...places, lists: 1, signal: over.signal })) {
      if (step.type !== 'pairs') continue
      for (const pair of step.pairs) {
        const bytes = sizeOf(pair)
        if (bytes === undefined) continue
        ahead.objects++
        ahead.bytes += bytes
      }
    }
    ahead.through = true
  }

  return {
    /** @returns {Ahead} */
    counted: () => ahead,

    /** Call it when the copy makes the listing wait. */
    start() {
      // A failure that matters is met by the listing itself.
      counting ??= over.signal.aborted ? undefined : count().catch(() => {})
    },

    /** Resolves once nothing is asked any more. */
    async end() {
      over.abort()
      await counting
    },
  }
}

module.exports = { createAhead }
