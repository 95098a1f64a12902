'use strict'

/**
 * What objects below a prefix are described by: guessed from the last ones, and what a read tells otherwise is learnt. Only
 * what differs from object to object is worked out for each.
 */

const { carry } = require('../../object')

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
  /** By the very headers that were guessed or found. @type {WeakMap<Record<string, string>, Described>} */
  const known = new WeakMap()

  /**
   * @param {import('../../object/put/types').Order} order
   * @param {import('../../object/put/types').KnownSource} source
   * @param {Record<string, string>} expected
   * @param {boolean} asked whether its own tags were asked for
   * @returns {Promise<Described>}
   */
  async function describeOwn({ from }, source, expected, asked) {
    const { tags, encrypted = false, checksum: _, ...object } = job.source.store.readDescription(expected)
    const untold = asked && 'tags' in source ? source.tags : samples.untold()
    const told = { ...object, tags: tags ?? untold, lastModifiedMs: source.lastModifiedMs }
    const carried = await carry(/** @type {any} */ (from), told, wish, signal)
    const own = { ...carried, encrypted, expected }
    // But for their tags and the time of their own, objects with the same headers are carried alike.
    if (told.tags === 0 && !wish.mtime) known.set(expected, { ...own, notices: [] })
    return own
  }

  return {
    async describe(order, source, headers) {
      const expected = headers ?? guess.headers(order.from.key)
      const alike = samples.untold() === 0 ? known.get(expected) : undefined
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
