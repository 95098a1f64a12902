'use strict'

/**
 * What a destination does not take with an object: a checksum behind the bytes, a condition, some of the attributes. It is
 * found out by leaving out one at a time; what is certain is remembered for the job.
 */

const { isDeepStrictEqual } = require('node:util')
const { refusesConditions } = require('../../destination')

/** @typedef {import('../../types').XferError} Failure */
/** @typedef {import('./types').Granted} Granted */
/** @typedef {{ checksum: boolean, conditional: boolean, granted: Granted['granted'] }} Sent */
/** @typedef {ReturnType<ReturnType<typeof createRefusals>['of']>} OwnRefusals */

/**
 * @param {object} how
 * @param {ReturnType<typeof import('./with-fallbacks').createConceded>} how.conceded
 * @param {boolean} how.keepsConditions whether the destination keeps conditions at the moment of the write, as far as is known
 * @param {() => void} how.onNoConditions the destination was found to take no conditions
 */
function createRefusals({ conceded, keepsConditions, onNoConditions }) {
  /** What the destination was found to do, by the first objects. */
  const knows = { checksum: true, conditions: keepsConditions }

  /**
   * Where a write is refused, and taken without one thing alone, it is that which the destination does not know.
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
    /** One object's. @param {string} text the destination, for people */
    of(text) {
      /** Seldom needed, and very many objects are under way. @type {ReturnType<typeof conceded.of> | undefined} */
      let own
      /** What may be why it was refused, and is left out until something else is. */
      let leaves = { checksum: false, condition: false }
      let wantsChecksum = false
      /** @type {Sent[]} */
      let refused = []

      return {
        takesChecksum: () => wantsChecksum || (knows.checksum && !leaves.checksum),
        wantsChecksum: () => wantsChecksum,
        takesConditions: () => knows.conditions && !leaves.condition,
        /** @type {import('./with-fallbacks').Grant} */
        grant: attributes => (own ?? conceded).grant(attributes),

        /**
         * The next attempt goes without what may be why this one was refused.
         *
         * @param {Failure} error
         * @param {{ checksum: boolean, conditional: boolean } & Granted} sent
         * @throws {Failure} where nothing of it may be why
         */
        refused(error, { checksum, conditional, attributes, granted }) {
          refused.push({ checksum, conditional, granted })
          if (error.code === 'TRAILER_REFUSED' && checksum) leaves.checksum = true
          else if (!checksum && !wantsChecksum && error.facts.mayWantChecksum) wantsChecksum = true
          else if (conditional && refusesConditions(error)) leaves.condition = true
          else {
            own ??= conceded.of(text)
            own.concede(error, { attributes, granted })
            // It need not have been these as well.
            leaves = { checksum: false, condition: false }
          }
        },

        /** It was written. @param {{ checksum: boolean, conditional: boolean } & Granted} sent */
        taken({ checksum, conditional, attributes, granted }) {
          conceded.taken({ attributes, granted }, own)
          for (const each of refused) learn(each, { checksum, conditional, granted })
          refused = []
        },
      }
    },
  }
}

module.exports = { createRefusals }
