'use strict'

/**
 * What a destination may drop without a word, of all that is written there: the first objects that have it are looked at,
 * and whether it was kept holds for the others.
 */

const { mayBeDropped } = require('../attributes')
const { lookAtCarried } = require('../carry')

/** Of each storage class, of each encryption, and of tags. */
const MOST_LOOKS = 3

/** @param {(notice: string, key: string) => void} tell */
function createKept(tell) {
  /** @type {Map<string, number>} */
  const looked = new Map()

  return {
    /**
     * @param {Parameters<typeof lookAtCarried>[0]} destination of the object
     * @param {import('../types').ObjectAttributes} attributes that were granted
     * @param {{ etag: string }} written
     * @param {AbortSignal} [signal]
     */
    async look(destination, attributes, written, signal) {
      if (!mayBeDropped(attributes)) return
      const kinds = kindsOf(attributes)
      const open = kinds.filter(kind => (looked.get(kind) ?? 0) < MOST_LOOKS)
      if (open.length === 0) return
      for (const kind of open) looked.set(kind, (looked.get(kind) ?? 0) + 1)
      const notices = await lookAtCarried(destination, attributes, written, signal)
      for (const notice of notices) tell(notice, destination.text)
    },
  }
}

/** @param {import('../types').ObjectAttributes} attributes @returns {string[]} */
function kindsOf({ tags = [], storageClass, encryption }) {
  return [
    ...(tags.length > 0 ? ['tags'] : []),
    ...(storageClass === undefined ? [] : [`class ${storageClass}`]),
    ...(encryption ? [`encryption ${encryption.kind}`] : []),
  ]
}

module.exports = { createKept }
