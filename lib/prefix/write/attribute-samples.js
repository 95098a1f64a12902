'use strict'

/**
 * The first objects below a prefix, asked for what they are like: what is found is supposed of the others. One HEAD each,
 * and one question for the tags.
 */

const { wantsTags } = require('../../object')

/** So many are asked for their tags where none are told with the object: not all stores tell how many there are. */
const MOST_SAMPLES = 20
/** Objects that are gone, or may not be asked for, before that many are enough. */
const MOST_VAIN = 100

/** @typedef {import('../../object/put/types').KnownSource} Found */

/**
 * @param {Pick<import('../../job/open').Job, 'source' | 'settings'> & { signal?: AbortSignal }} job
 * @param {ReturnType<typeof import('./guess').createGuess>} guess
 */
function createSamples({ source, settings, signal }, guess) {
  let most = settings.attributes.tags === 'copy' ? MOST_SAMPLES : 1
  let vain = 0
  /** @type {Promise<unknown>[]} */
  const asking = []
  let known = false
  /** Whether objects that have tags say how many: so did all that were asked, or none of them has any. */
  let tellsCounts = true

  /** @param {string} name @returns {Promise<Found & { headers: Record<string, string> }>} */
  async function ask(name) {
    const key = source.key + name
    const { bytes, etag, lastModifiedMs, ...description } = await source.store.head(key, { signal })
    return { bytes, etag, lastModifiedMs, headers: source.store.describingHeaders(description) }
  }

  /** @param {string} name @returns {Promise<Found | undefined>} undefined: whoever copies it will find out why */
  async function sample(name) {
    const found = await ask(name).catch(() => undefined)
    if (!found) {
      // It says nothing of the others: another one is asked in its place.
      if (++vain <= MOST_VAIN) most++
      return undefined
    }
    guess.learn(name, found.headers)
    const { tags } = source.store.readDescription(found.headers)
    if (tags !== undefined || !wantsTags({ tags }, settings.attributes)) return found
    const asked = await source.store.tags(source.key + name, { signal }).catch(() => undefined)
    if (asked && asked.length > 0) tellsCounts = false
    // Where they may not be asked for, whoever copies it tells so.
    return { ...found, tags: asked?.length }
  }

  return {
    ask,

    /** @param {string} name @returns {Promise<Found | undefined>} of the first ones; once enough of them are known */
    async first(name) {
      if (known) return undefined
      const own = asking.length < most ? sample(name) : undefined
      if (own) asking.push(own)
      await Promise.all(asking)
      known ||= asking.length >= most
      return await own
    },

    /** How many tags an object has that tells of none; undefined where it has to be asked. */
    untold: () => (tellsCounts ? 0 : undefined),
  }
}

module.exports = { createSamples }
