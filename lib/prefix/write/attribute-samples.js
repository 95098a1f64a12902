'use strict'

/**
 * Samples the attributes of the first objects below a prefix: the others are assumed to be alike. Each sample costs one
 * HEAD, and one request for the tags if the copies can have any.
 */

/** Samples if tags are copied: some stores do not report the number of an object's tags with the object. */
const MOST_SAMPLES = 20
/** Failed samples (missing or denied objects) that are replaced by another one. */
const MOST_FAILED = 100

/** @typedef {import('../../object/put/types').KnownSource} Found */

/**
 * @param {Pick<import('../../job/open').Job, 'source' | 'destination' | 'settings'> & { signal?: AbortSignal }} job
 * @param {ReturnType<typeof import('./guess').createGuess>} guess
 */
function createSamples({ source, destination, settings, signal }, guess) {
  // A store that sets times keeps nothing else.
  const takesTags = settings.attributes.tags === 'copy' && !destination.store.setTime
  let most = takesTags ? MOST_SAMPLES : 1
  let failed = 0
  /** @type {Promise<unknown>[]} */
  const asking = []
  let known = false
  /** Whether the store reports the number of tags: true until a sample has tags and no number. */
  let tellsCounts = true

  /** @param {string} name @returns {Promise<Found & { headers: Record<string, string> }>} */
  async function ask(name) {
    const key = source.key + name
    const { bytes, etag, lastModifiedMs, ...description } = await source.store.head(key, { signal })
    const { storageClass, sums, metadata } = description
    const headers = source.store.describingHeaders(description)
    return {
      ...{ bytes, etag, lastModifiedMs, headers },
      ...(storageClass !== undefined && { storageClass }),
      ...(sums && { sums }),
      ...(source.store.can.listsMetadata && { metadata }),
    }
  }

  /** @param {string} name @returns {Promise<Found | undefined>} undefined: it failed; the copy will report the reason */
  async function sample(name) {
    const found = await ask(name).catch(() => undefined)
    if (!found) {
      // A failure shows nothing about the other objects, so another sample replaces it.
      if (++failed <= MOST_FAILED) most++
      return undefined
    }
    guess.learn(name, found.headers)
    const { tags } = source.store.readDescription(found.headers)
    if (tags !== undefined || !takesTags) return found
    const asked = await source.store.tags?.read(source.key + name, { signal }).catch(() => undefined)
    if (asked && asked.length > 0) tellsCounts = false
    // If the tags may not be read, the copy of the object reports it.
    return { ...found, tags: asked?.length }
  }

  return {
    ask,

    /** @param {string} name @returns {Promise<Found | undefined>} the sample, of one of the first objects; resolves once there are enough samples */
    async first(name) {
      if (known) return undefined
      const own = asking.length < most ? sample(name) : undefined
      if (own) asking.push(own)
      await Promise.all(asking)
      known ||= asking.length >= most
      return await own
    },

    /** The number of tags of an object whose head reports none; undefined: the store has to be asked. */
    defaultTagCount: () => (tellsCounts ? 0 : undefined),
  }
}

module.exports = { createSamples }
