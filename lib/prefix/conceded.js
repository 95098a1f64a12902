'use strict'

/**
 * What objects of a job go without where the destination refuses them with it. What its store knows of no object none is
 * tried with again; tags that a policy or a rule of their own may have forbidden are tried with each.
 */

const { attributesWithout, firstOf, suspectOf, tellConcession } = require('../concessions')

/** @typedef {import('../types').Concession} Concession */
/** @typedef {import('../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../types').XferError} Failure */
/** @typedef {ReturnType<ReturnType<typeof createConceded>['of']>} Conceding */
/** What is sent of an object's attributes, by what is known at that moment. @typedef {(attributes: ObjectAttributes) => ObjectAttributes} Grant */
/** Attributes as they were to be, and what was granted of them. @typedef {{ attributes: ObjectAttributes, granted: ObjectAttributes }} Sent */

/** What a store answers that knows no such thing, whatever the object. */
const KNOWS_NONE = new Set([405, 501])
/** @type {Record<Concession, string>} */
const WITHOUT = { tags: 'without their tags', storageClass: "in their store's usual storage class" }

/**
 * @param {object} how
 * @param {import('../types').AttributeWish} how.wish
 * @param {ReturnType<typeof import('./told').createToldOnce>} how.tellOnce
 * @param {(event: { type: 'notice', message: string }) => void} how.emit
 */
function createConceded({ wish, tellOnce, emit }) {
  let takesTags = true
  /** Storage classes that the store has not. @type {Set<string | undefined>} */
  const missing = new Set()
  /** Objects that were written without. @type {Map<Concession, number>} */
  const written = new Map()

  /** @param {ObjectAttributes} attributes @param {Concession[]} [own] what this object goes without @returns {ObjectAttributes} */
  function grant(attributes, own = []) {
    return attributesWithout(attributes, [
      ...own,
      ...(takesTags ? [] : /** @type {const} */ (['tags'])),
      ...(missing.has(attributes.storageClass) ? /** @type {const} */ (['storageClass']) : []),
    ])
  }

  return {
    /** Of an object that was not refused. @type {Grant} */
    grant: attributes => grant(attributes),

    /** It was written. @param {Sent} sent @param {{ tell: () => void }} [own] its way, where it was refused before */
    taken({ attributes: { tags = [], storageClass }, granted }, own) {
      own?.tell()
      if (tags.length > 0 && !granted.tags) count('tags')
      if (storageClass !== granted.storageClass) count('storageClass')
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
            tellOnce(tellConcession(concession, error, attributes, text), text)
            if (concession === 'storageClass') missing.add(attributes.storageClass)
            else if (KNOWS_NONE.has(error.facts.status)) takesTags = false
          }
        },
      }
    },

    /** One was written, and told of, elsewhere. @param {Concession[]} [without] */
    wrote(without = []) {
      for (const concession of without) count(concession)
    },

    /** The first ones were told of: how many there were in the end. */
    tellAll() {
      for (const [concession, objects] of written) {
        const many = `${objects.toLocaleString('en-US')} objects are written ${WITHOUT[concession]}`
        if (objects > 1) emit({ type: 'notice', message: `In all ${many}, for the reasons above.` })
      }
      written.clear()
    },
  }

  /** @param {Concession} concession */
  function count(concession) {
    written.set(concession, (written.get(concession) ?? 0) + 1)
  }
}

module.exports = { createConceded }
