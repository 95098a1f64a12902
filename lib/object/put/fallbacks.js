'use strict'

/**
 * Attributes that the writer leaves out because the destination refuses them. An attribute that the store does not support
 * is not tried again, nor is a tag that was refused while others were accepted. Tags that a policy or a rule may forbid are
 * tried with each object. lib/prefix/write/dropped-attributes.js handles the refused tags.
 */

const { attributesWithout, firstOf, suspectOf, tellStorageClass, whyNoTags } = require('../attributes')
const { notice } = require('../../notices')

/** @typedef {import('../../types').Omission} Omission */
/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').XferError} Failure */
/** @typedef {ReturnType<ReturnType<typeof createFallbacks>['of']>} ObjectFallbacks */
/** What is sent of an object's attributes, by what is known at that moment. @typedef {(attributes: ObjectAttributes) => ObjectAttributes} Grant */
/**
 * attributes: as requested; granted: those that are sent; refusal: why tags are left out, a clause.
 *
 * @typedef {{ attributes: ObjectAttributes, granted: ObjectAttributes, refusal?: string }} Sent
 */

/** Responses of stores that do not support the attribute on any object. */
const KNOWS_NONE = new Set([405, 501])

/**
 * @param {object} how
 * @param {import('../../types').AttributeWish} how.wish
 * @param {ReturnType<typeof import('../../prefix/report/notify-once').createNotifyOnce>} how.notifyOnce
 * @param {(event: import('../../types').Notice) => void} how.emit
 * @param {ReturnType<typeof import('../attributes').createRefusedTags>} [how.refusedTags]
 */
function createFallbacks({ wish, notifyOnce, emit, refusedTags }) {
  /** Why the store accepts no tags on any object, a clause. @type {string | undefined} */
  let takesNone
  /** By object, why its tags were refused, until that is reported. @type {Map<string, string>} */
  const refusals = new Map()
  /** Storage classes that the store does not have. @type {Set<string | undefined>} */
  const missing = new Set()
  /** Number of objects that were written in another class. */
  let declassed = 0

  /** @param {ObjectAttributes} attributes @param {Omission[]} [own] what this object leaves out @returns {ObjectAttributes} */
  function grant(attributes, own = []) {
    const granted = attributesWithout(attributes, [
      ...own,
      ...(takesNone === undefined ? [] : /** @type {const} */ (['tags'])),
      ...(missing.has(attributes.storageClass) ? /** @type {const} */ (['storageClass']) : []),
    ])
    if (!granted.tags || !refusedTags) return granted
    const tags = refusedTags.taken(granted.tags)
    if (tags === granted.tags) return granted
    return tags.length > 0 ? { ...granted, tags } : attributesWithout(granted, ['tags'])
  }

  return {
    /** For an object that was not refused. @type {Grant} */
    grant: attributes => grant(attributes),

    /** It was written. @param {Sent} sent @param {{ tell: () => void }} [own] its way, where it was refused before */
    taken({ attributes: { storageClass }, granted }, own) {
      own?.tell()
      if (storageClass !== granted.storageClass) declassed++
    },

    /**
     * Why the object was written without its tags, a clause; call it once for each object.
     *
     * @param {string} text the destination, for people
     */
    whyWithoutTags(text) {
      const why = refusals.get(text)
      refusals.delete(text)
      return why ?? takesNone
    },

    /** The fallbacks of one object, after a refusal. @param {string} text the destination, for people */
    of(text) {
      /** @type {Array<{ omission: Omission, error: Failure, attributes: ObjectAttributes }>} */
      const made = []

      return {
        /** @type {Grant} */
        grant: attributes =>
          grant(
            attributes,
            made.map(({ omission }) => omission),
          ),

        /**
         * Lets the next attempt leave out a possible cause of this refusal.
         *
         * @param {Failure} error
         * @param {Sent} sent
         * @throws {Failure} if no attribute can be the cause
         */
        leaveOut(error, { attributes, granted }) {
          const omission = suspectOf(error, granted, wish)
          if (omission === undefined) throw firstOf(made.at(-1)?.error, error)
          made.push({ omission, error, attributes })
        },

        /** The write was accepted without them. */
        tell() {
          for (const { omission, error, attributes } of made) {
            if (omission === 'storageClass') {
              notifyOnce(tellStorageClass(error, attributes, text))
              missing.add(attributes.storageClass)
              continue
            }
            refusals.set(text, whyNoTags(error))
            if (KNOWS_NONE.has(error.facts.status)) takesNone = whyNoTags(error)
          }
        },
      }
    },

    /** An object was written, and reported, elsewhere. @param {Omission[]} [without] */
    wrote(without = []) {
      if (without.includes('storageClass')) declassed++
    },

    /** Notices named only the first objects: emits the total number. */
    tellAll() {
      if (declassed > 1) emit(notice('STORAGE_CLASS_TOTAL', { objects: declassed }))
      declassed = 0
    },
  }
}

module.exports = { createFallbacks }
