'use strict'

/**
 * The headers and attributes of objects below a prefix: guessed from the last objects, and corrected by what a read
 * returns. Objects with the same headers share the work.
 */

const { readSourceAttributes } = require('../../object')

/** @typedef {import('../../object/put/through-engine').Described} Described */

/**
 * @param {object} how
 * @param {import('../../job/open').Context} how.job
 * @param {ReturnType<typeof import('./guess').createGuess>} how.guess
 * @param {ReturnType<typeof import('./attribute-samples').createSamples>} how.samples
 * @returns {import('../../object/put/through-engine').Describer}
 */
function createDescriber({ job, guess, samples }) {
  const { settings } = job
  const { cancel: signal } = job.run
  const wish = settings.attributes
  const destinationKeepsTimes = job.destination.store.can.keepsTimes === true
  /** By the headers object that was guessed or found, and by the listed storage class. @type {WeakMap<Record<string, string>, Map<string | undefined, Described>>} */
  const known = new WeakMap()

  /** @param {Record<string, string>} expected @param {string | undefined} storageClass @param {Described} described */
  function remember(expected, storageClass, described) {
    const byClass = known.get(expected) ?? new Map()
    known.set(expected, byClass.set(storageClass, described))
  }

  /**
   * @param {import('../../object/put/types').Order} order
   * @param {import('../../object/put/types').KnownSource} source
   * @param {Record<string, string>} expected
   * @param {boolean} asked whether the store was asked for its tags
   * @returns {Promise<Described>}
   */
  async function describeOwn({ from }, source, expected, asked) {
    const { tags, encrypted = false, sums: _, composite: __, ...read } = job.source.store.readDescription(expected)
    const listed = job.source.store.can.listsMetadata && source.metadata
    const object = listed ? { ...read, metadata: listed } : read
    const otherTags = asked && 'tags' in source ? source.tags : samples.defaultTagCount()
    // Not every store tells the storage class with a read.
    const storageClass = object.storageClass ?? source.storageClass
    const head = {
      ...object,
      ...(storageClass !== undefined && { storageClass }),
      ...{ tags: tags ?? otherTags, lastModifiedMs: source.lastModifiedMs },
    }
    const ends = { source: /** @type {any} */ (from), destination: job.destination }
    const carried = await readSourceAttributes(ends, head, wish, signal)
    // Only the time of the copy depends on them, and it is corrected afterwards.
    const own = { ...carried, encrypted, ...(!job.destination.store.setTime && { expected }) }
    // Without tags and times, objects with the same headers have the same attributes.
    if (head.tags === 0 && !wish.mtime && !destinationKeepsTimes)
      remember(expected, source.storageClass, { ...own, notices: [] })
    return own
  }

  return {
    async describe(order, source, headers) {
      const expected = headers ?? guess.headers(order.from.key)
      const alike = samples.defaultTagCount() === 0 ? known.get(expected)?.get(source.storageClass) : undefined
      if (alike) return alike
      const own = await describeOwn(order, source, expected, headers === source.headers)
      return headers ? own : { ...own, notices: [] }
    },
    differs(order, headers) {
      guess.was(false)
      guess.learn(order.from.key, headers)
    },
    fits: () => guess.was(true),
  }
}

module.exports = { createDescriber }
