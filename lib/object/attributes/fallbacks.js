'use strict'

/**
 * Attributes that are left out of a write because its store refuses them: tags without the permission for them, a storage
 * class that the store does not have. Nothing is left out of a write that would be accepted in full. The notice about a
 * class is made here; tags are written again after the object, and reported then (lib/object/attributes/check.js). Pure.
 */

const { notice } = require('../../notices')
const { whyNoTags } = require('./tags')

/** @typedef {import('../../types').Omission} Omission */
/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').XferError} Failure */

/** Answers of stores to headers that they do not know. */
const UNKNOWN_HEADER = new Set([400, 405, 501])

/**
 * The attributes that may be the cause of a refused write.
 *
 * @param {Failure} error
 * @param {ObjectAttributes} attributes those that were sent
 * @param {import('../../types').AttributeWish} wish
 * @returns {Omission | undefined}
 */
function suspectOf({ code, facts }, { tags = [], storageClass }, wish) {
  // Who names one wants that and no other.
  if (code === 'NO_SUCH_STORAGE_CLASS' && storageClass !== undefined && 'copy' in wish.storageClass)
    return 'storageClass'
  if (tags.length === 0) return undefined
  // Who may write an object and not its tags is told no more than who may write neither.
  if (code === 'ACCESS_DENIED') return 'tags'
  const unknown = code === 'STORE_REFUSED' || code === 'TRAILER_REFUSED'
  return unknown && (facts.notImplemented || UNKNOWN_HEADER.has(facts.status)) ? 'tags' : undefined
}

/** @param {ObjectAttributes} attributes @param {Omission[]} [without] @returns {ObjectAttributes} the same where nothing is left out */
function attributesWithout(attributes, without = []) {
  if (without.length === 0) return attributes
  const { tags, storageClass, ...rest } = attributes
  return {
    ...rest,
    ...(tags && !without.includes('tags') && { tags }),
    ...(storageClass !== undefined && !without.includes('storageClass') && { storageClass }),
  }
}

/**
 * @param {Failure} error why it is written without
 * @param {ObjectAttributes} attributes as they were to be
 * @param {string} text the destination, for people
 * @returns {import('../../types').Notice} once the write was taken
 */
function tellStorageClass({ facts }, { storageClass }, text) {
  const answer = facts.storeCode ?? `HTTP ${facts.status}`
  return notice('STORAGE_CLASS_UNKNOWN', { location: text, storageClass, answer })
}

/**
 * Repeats a call without the refused attributes, until it is accepted or refused for another reason.
 *
 * @template T
 * @param {object} write
 * @param {ObjectAttributes} write.attributes
 * @param {import('../../types').AttributeWish} write.wish
 * @param {string} write.text the destination, for people
 * @param {(notice: import('../../types').Notice) => void} write.tell
 * @param {(attributes: ObjectAttributes) => Promise<T>} call
 * @returns {Promise<{ result: T, without: Omission[], refusal?: string }>} refusal: why without tags, a clause
 * @throws {Failure} the first refusal, where leaving something out did not help
 */
async function writeWithFallbacks({ attributes, wish, text, tell }, call) {
  /** @type {Array<{ omission: Omission, error: Failure }>} */
  const made = []
  for (;;) {
    const without = made.map(({ omission }) => omission)
    const sent = attributesWithout(attributes, without)
    try {
      const result = await call(sent)
      const tags = made.find(({ omission }) => omission === 'tags')
      const other = made.find(({ omission }) => omission === 'storageClass')
      if (other) tell(tellStorageClass(other.error, attributes, text))
      return { result, without, ...(tags && { refusal: whyNoTags(tags.error) }) }
    } catch (cause) {
      const error = /** @type {Failure} */ (cause)
      const omission = suspectOf(error, sent, wish)
      // Without the tags it is refused as well: they were not the reason.
      if (omission === undefined) throw firstOf(made.at(-1)?.error, error)
      made.push({ omission, error })
    }
  }
}

/**
 * Of two refusals, the second of them of a write that went without something, the one that says why: where they are alike
 * the first.
 *
 * @param {Failure | undefined} first
 * @param {Failure} second
 */
function firstOf(first, second) {
  return first?.code === second.code && first.facts.status === second.facts.status ? first : second
}

module.exports = { attributesWithout, writeWithFallbacks, firstOf, suspectOf, tellStorageClass }
