'use strict'

/**
 * Objects whose copy took so long that a later sync could not see from the times whether the source was replaced between
 * its read and the end of the write. Their sources are checked again after the copy.
 */

const { LONGEST_COPY_S } = require('../../select')

function createSlow() {
  /** ETags of the copies, until they are asked for; equal ETags mean equal bytes. @type {Set<string>} */
  const slow = new Set()

  /** @param {string} etag of the copy @param {number} tookMs from the start of its read to the end of its write */
  function note(etag, tookMs) {
    if (tookMs > LONGEST_COPY_S * 1000) slow.add(etag)
  }

  return {
    /**
     * @template {(bytes: number, how: any) => Promise<import('../../types').TaskSuccess>} S
     * @param {S} scheduleOne
     * @returns {(...given: Parameters<S>) => Promise<import('../../types').TaskSuccess>} the same, watched
     */
    watch:
      scheduleOne =>
      async (...given) => {
        const outcome = await scheduleOne(given[0], given[1])
        note(outcome.etag, outcome.timing.totalMs)
        return outcome
      },

    /**
     * @param {ReturnType<typeof import('./large').createLarge>} large
     * @returns {ReturnType<typeof import('./large').createLarge>} the same, watched
     */
    watchLarge: large => ({
      async copy(way, work) {
        const beganMs = Date.now()
        const done = await large.copy(way, work)
        if (done !== 'skipped' && !('now' in done)) note(done.etag, Date.now() - beganMs)
        return done
      },
    }),

    /** @param {string} etag of a finished copy @returns {boolean} whether it was slow; call it once for each copy */
    was: etag => slow.delete(etag),
  }
}

module.exports = { createSlow }
