'use strict'

/** Keys that a destination may treat as other keys, or cannot store. */

const { XferError } = require('../../errors')
const { keyFaultOf } = require('../../stores')
const { createTable, hash, createFoldedNames } = require('./folded-names')

/** XML cannot express all characters: a store that does not encode them writes this in place of one. */
const REPLACEMENT = '\ufffd'

/** One object of a side. @template {{ key: string, text: string }} S @param {S} side of the prefix @param {string} name @returns {S} */
function placeOf(side, name) {
  return { ...side, key: side.key + name, text: side.text + name }
}

/** An object that is listed under a wrong key. @param {Pick<import('../../types').Store, 'facts'>} store @param {string} key as it is listed */
function unreadable({ facts }, key) {
  return new XferError('KEY_UNREADABLE', { ...facts, key })
}

/** Whether the name may stand for an object with another key. @param {string} name */
const maybeUnreadable = name => name.includes(REPLACEMENT)

/**
 * A name of which the destination can have no object: its store would refuse the key, or write another object.
 *
 * @param {import('../../job/open').Job['destination']} destination of the prefix
 * @param {string} name
 * @returns {import('../../types').XferError | undefined} KEY_INVALID
 */
function invalidKey({ store, key: prefix }, name) {
  const key = prefix + name
  const reason = keyFaultOf(store.scheme, key) ?? store.keyFault?.(key)
  return reason === undefined ? undefined : new XferError('KEY_INVALID', { ...store.facts, key, reason })
}

/** @typedef {import('./folded-names').Kind} Kind */

/**
 * A file system may treat two names of the source as one, because it ignores case or Unicode normalization. The second object
 * would replace the first, so it fails instead. The file system is asked, by files of our own, only if two names would fold into one,
 * or if so many names are stored that the question is worth the memory that it may free.
 *
 * @param {object} how
 * @param {Pick<import('../../job/open').Job, 'destination'>} how.job of the prefix
 * @param {boolean} how.dryRun nothing is written, so no name is checked
 */
function createFolding({ job, dryRun }) {
  const { store } = job.destination
  const names = createFoldedNames()
  /** @type {ReturnType<NonNullable<typeof store.folds>> | undefined} */
  let asked

  /** @param {readonly Kind[]} kinds @returns {Promise<boolean>} whether it folds names in any of these ways */
  async function foldsAny(kinds) {
    asked ??= store.folds?.()
    /** @type {{ case?: boolean, unicode?: boolean }} */
    const folds = (await asked) ?? {}
    for (const fold of /** @type {const} */ (['case', 'unicode'])) if (!folds[fold]) names.forget(fold)
    return kinds.some(kind => (kind === 'both' ? folds.case && folds.unicode : folds[kind]) === true)
  }

  return {
    /**
     * @param {string} name of an object of the source that is to be copied
     * @returns {Promise<boolean> | false} whether the destination treats it and an earlier name as one
     */
    clashes(name) {
      if (dryRun || !store.folds) return false
      const kinds = names.add(name)
      return kinds.length > 0 || names.areMany() ? foldsAny(kinds) : false
    },

    /** @param {string} name of the source */
    add(name) {
      if (store.folds) names.add(name)
    },

    /** @param {string} name of the destination @returns {Promise<boolean>} whether the destination treats it and a name of the source as one */
    async spares(name) {
      const kinds = names.clashesOf(name)
      return kinds.length > 0 && (await foldsAny(kinds))
    },

    /** For a resumed job, which does not know the names of the earlier run. @returns {Promise<boolean>} */
    foldsAtAll: async () => store.folds !== undefined && (await foldsAny(['case', 'unicode'])),
  }
}

/** @param {import('../../job/open').Job['destination']} destination of the prefix @param {string} name */
function foldedError({ store, key }, name) {
  return new XferError('NAMES_FOLDED', { ...store.facts, key: key + name })
}

module.exports = { createFolding, createTable, foldedError, hash, invalidKey, maybeUnreadable, placeOf, unreadable }
