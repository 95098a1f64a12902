'use strict'

/**
 * What a destination refuses in a write: a trailing checksum, a condition, some attributes. The writer leaves out one at a
 * time to find out which; a certain result is remembered for the job.
 */

const { isDeepStrictEqual } = require('node:util')
const { refusesConditions } = require('../../destination')

/** @typedef {import('../../types').XferError} Failure */
/** @typedef {import('./types').Granted} Granted */
/** @typedef {{ checksum: boolean, conditional: boolean, granted: Granted['granted'] }} Sent */
/** @typedef {ReturnType<ReturnType<typeof createRefusals>['of']>} OwnRefusals */

/**
 * @param {object} how
 * @param {ReturnType<typeof import('./fallbacks').createFallbacks>} how.fallbacks
 * @param {boolean} how.keepsConditions whether the destination is known to check conditions atomically with the write
 * @param {() => void} how.onNoConditions called if the destination does not support conditions
 */
function createRefusals({ fallbacks, keepsConditions, onNoConditions }) {
  /** What the destination supports, as the first objects have shown. */
  const knows = { checksum: true, conditions: keepsConditions }

  /**
   * If a write was refused, and accepted after one thing was left out, the destination does not support that thing.
   *
   * @param {Sent} refused
   * @param {Sent} taken
   */
  function learn(refused, taken) {
    if (!isDeepStrictEqual(refused.granted, taken.granted)) return
    const checksum = refused.checksum && !taken.checksum
    const condition = refused.conditional && !taken.conditional
    if (checksum && !condition) knows.checksum = false
    if (condition && !checksum && knows.conditions) {
      knows.conditions = false
      onNoConditions()
    }
  }

  return {
    /** The refusals of one object. @param {string} text the destination, for people */
    of(text) {
      /** Created lazily: seldom needed, and very many objects are in flight. @type {ReturnType<typeof fallbacks.of> | undefined} */
      let own
      /** The possible cause of the last refusal, left out until another cause is tried. */
      let leaves = { checksum: false, condition: false }
      /** Of a write without a checksum, which the store may want. @type {Failure | undefined} */
      let plain
      /** @type {Sent[]} */
      let refused = []

      return {
        takesChecksum: () => plain !== undefined || (knows.checksum && !leaves.checksum),
        wantsChecksum: () => plain !== undefined,
        takesConditions: () => knows.conditions && !leaves.condition,
        /** @type {import('./fallbacks').Grant} */
        grant: attributes => (own ?? fallbacks).grant(attributes),

        /**
         * Lets the next attempt leave out a possible cause of this refusal. Each is left out once, so that this ends.
         *
         * @param {Failure} error
         * @param {{ checksum: boolean, conditional: boolean } & Granted} sent
         * @throws {Failure} if nothing in the request can be the cause
         */
        refused(error, { checksum, conditional, attributes, granted }) {
          refused.push({ checksum, conditional, granted })
          if (error.code === 'TRAILER_REFUSED' && checksum && !plain) leaves.checksum = true
          else if (!checksum && !plain && error.facts.mayWantChecksum) plain = error
          else if (conditional && refusesConditions(error)) leaves.condition = true
          else {
            own ??= fallbacks.of(text)
            // Refused with and without a checksum: the checksum is not why.
            const why = error.code === 'TRAILER_REFUSED' && plain ? plain : error
            own.leaveOut(why, { attributes, granted })
            // The checksum and the condition were not the cause.
            leaves = { checksum: false, condition: false }
          }
        },

        /** The write was accepted. @param {{ checksum: boolean, conditional: boolean } & Granted} sent */
        taken({ checksum, conditional, attributes, granted }) {
          fallbacks.taken({ attributes, granted }, own)
          for (const each of refused) learn(each, { checksum, conditional, granted })
          refused = []
        },
      }
    },
  }
}

module.exports = { createRefusals }
