'use strict'

/**
 * What objects of a job go without where the destination refuses them with it. What its store knows of no object none is
 * tried with again, nor with a tag that was refused where others were taken; tags that a policy or a rule of their own may
 * have forbidden are tried with each. What becomes of tags that were refused: lib/prefix/write/kept.js.
 */

const { attributesWithout, firstOf, suspectOf, tellStorageClass, whyNoTags } = require('../attributes')
const { notice } = require('../../notices')

/** @typedef {import('../../types').Concession} Concession */
/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').XferError} Failure */
/** @typedef {ReturnType<ReturnType<typeof createConceded>['of']>} Conceding */
/** What is sent of an object's attributes, by what is known at that moment. @typedef {(attributes: ObjectAttributes) => ObjectAttributes} Grant */
/**
 * Attributes as they were to be, and what was granted of them; why without tags, half a sentence.
 *
 * @typedef {{ attributes: ObjectAttributes, granted: ObjectAttributes, refusal?: string }} Sent
 */

/** What a store answers that knows no such thing, whatever the object. */
const KNOWS_NONE = new Set([405, 501])

/**
 * @param {object} how
 * @param {import('../../types').AttributeWish} how.wish
 * @param {ReturnType<typeof import('../../prefix/report/notify-once').createNotifyOnce>} how.notifyOnce
 * @param {(event: import('../../types').Notice) => void} how.emit
 * @param {ReturnType<typeof import('../attributes').createRefusedTags>} [how.refusedTags]
 */
function createConceded({ wish, notifyOnce, emit, refusedTags }) {
  /** Why its store takes none of any object, half a sentence. @type {string | undefined} */
  let takesNone
  /** Why one object was refused its tags, until that is told. @type {Map<string, string>} */
  const refusals = new Map()
  /** Storage classes that the store has not. @type {Set<string | undefined>} */
  const missing = new Set()
  /** Objects that were written in another class. */
  let declassed = 0

  /** @param {ObjectAttributes} attributes @param {Concession[]} [own] what this object goes without @returns {ObjectAttributes} */
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
    /** Of an object that was not refused. @type {Grant} */
    grant: attributes => grant(attributes),

    /** It was written. @param {Sent} sent @param {{ tell: () => void }} [own] its way, where it was refused before */
    taken({ attributes: { storageClass }, granted }, own) {
      own?.tell()
      if (storageClass !== granted.storageClass) declassed++
    },

    /**
     * Why it was written without its tags, half a sentence; told once.
     *
     * @param {string} text the destination, for people
     */
    whyWithoutTags(text) {
      const why = refusals.get(text)
      refusals.delete(text)
      return why ?? takesNone
    },

    /** One object's way, once it was refused. @param {string} text the destination, for people */
    of(text) {
      /** @type {Array<{ concession: Concession, error: Failure, attributes: ObjectAttributes }>} */
      const made = []

      return {
        /** @type {Grant} */
        grant: attributes =>
          grant(
            attributes,
            made.map(({ concession }) => concession),
          ),

        /**
         * The next attempt goes without what may be why this one was refused.
         *
         * @param {Failure} error
         * @param {Sent} sent
         * @throws {Failure} where nothing of it may be why
         */
        concede(error, { attributes, granted }) {
          const concession = suspectOf(error, granted, wish)
          if (concession === undefined) throw firstOf(made.at(-1)?.error, error)
          made.push({ concession, error, attributes })
        },

        /** It was written without. */
        tell() {
          for (const { concession, error, attributes } of made) {
            if (concession === 'storageClass') {
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

    /** One was written, and told of, elsewhere. @param {Concession[]} [without] */
    wrote(without = []) {
      if (without.includes('storageClass')) declassed++
    },

    /** The first ones were told of: how many there were in the end. */
    tellAll() {
      if (declassed > 1) emit(notice('STORAGE_CLASS_TOTAL', { objects: declassed }))
      declassed = 0
    },
  }
}

module.exports = { createConceded }
