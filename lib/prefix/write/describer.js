'use strict'

/**
 * The headers and attributes of objects below a prefix: guessed from the first and the last objects, and corrected by what a read
 * returns.
 */

const { readSourceAttributes } = require('../../object')

/** Number of last guesses that count. */
const REMEMBERED = 20
/** If a smaller share of the guesses is right, guessing costs more than a HEAD. */
const WORTH_IT = 0.5
/** Up to this size a read costs no more than a HEAD. */
const CHEAP_BYTES = 256 * 1024
/** Endings of names that are remembered, each with the headers that it was last found with. */
const MOST_ENDINGS = 256
const ENDING = /\.([^./]{1,16})$/

/**
 * Guesses the headers of the next object below a prefix from the last ones: neighbouring objects were mostly written by
 * one program, and names with the same ending have one content type. Pure.
 *
 * @typedef {Record<string, string>} Headers the headers that describe an object, names in lower case
 */
function createGuess() {
  /** The last headers of any object; at first the usual default of stores. @type {Headers} */
  let last = { 'content-type': 'binary/octet-stream' }
  /** @type {Map<string, Headers>} */
  const byEnding = new Map()
  /** @type {boolean[]} */
  let right = []

  return {
    /** @param {string} name @returns {Headers} */
    headers: name => byEnding.get(endingOf(name)) ?? last,

    /** Whether to read with a guess, instead of a HEAD first. @param {number} bytes of the object */
    worthIt: bytes =>
      bytes <= CHEAP_BYTES || right.length === 0 || right.filter(Boolean).length / right.length >= WORTH_IT,

    /** @param {string} name @param {Headers} found */
    learn(name, found) {
      last = found
      const ending = endingOf(name)
      if (byEnding.has(ending) || byEnding.size < MOST_ENDINGS) byEnding.set(ending, found)
    },

    /** Records whether a guess was right, or would have been. @param {boolean} asGuessed */
    was(asGuessed) {
      right = [...right.slice(1 - REMEMBERED), asGuessed]
    },
  }
}

/** @param {string} name @returns {string} in lower case; '' if it has none */
function endingOf(name) {
  return ENDING.exec(name)?.[1].toLowerCase() ?? ''
}

/** Samples if tags are copied: some stores do not report the number of an object's tags with the object. */
const MOST_SAMPLES = 20
/** Failed samples (missing or denied objects) that are replaced by another one. */
const MOST_FAILED = 100

/** @typedef {import('../../object/put/types').KnownSource} Found */

/**
 * Samples the attributes of the first objects below a prefix: the others are assumed to be alike. Each sample costs one
 * HEAD, and one request for the tags if the copies can have any.
 *
 * @param {Pick<import('../../job/open').Job, 'source' | 'destination' | 'settings'> & { signal?: AbortSignal, late: boolean }} job late: the headers are read before they are needed
 * @param {ReturnType<typeof createGuess>} guess
 */
function createSamples({ source, destination, settings, signal, late }, guess) {
  // A store that sets times keeps nothing else.
  const takesTags = settings.attributes.tags === 'copy' && !destination.store.setTime
  let most = takesTags ? MOST_SAMPLES : late ? 0 : 1
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

/** @typedef {import('../../object/put/through-engine').Described} Described */

/**
 * The headers and attributes of objects below a prefix: guessed from the last objects, and corrected by what a read
 * returns. Objects with the same headers share the work.
 *
 * @param {object} how
 * @param {import('../../job/open').Context} how.job
 * @param {ReturnType<typeof createGuess>} how.guess
 * @param {ReturnType<typeof createSamples>} how.samples
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
  async function describeOwn(order, source, expected, asked) {
    const read = job.source.store.readDescription(expected)
    const otherTags = asked && 'tags' in source ? source.tags : samples.defaultTagCount()
    const { head, ...described } = await describeAs(order, source, read, otherTags)
    // Only the time of the copy depends on them, and it is corrected afterwards.
    const own = { ...described, ...(!job.destination.store.setTime && { expected }) }
    // Without tags and times, objects with the same headers have the same attributes.
    if (head.tags === 0 && !wish.mtime && !destinationKeepsTimes)
      remember(expected, source.storageClass, { ...own, notices: [] })
    return own
  }

  /**
   * @param {import('../../object/put/types').Order} order
   * @param {import('../../object/put/types').KnownSource} source
   * @param {ReturnType<import('../../types').Store['readDescription']>} read
   * @param {number | undefined} otherTags how many it has if the read does not tell
   */
  async function describeAs({ from }, source, { encrypted = false, ...read }, otherTags) {
    const listed = job.source.store.can.listsMetadata && source.metadata
    // Not every store tells the storage class with a read.
    const storageClass = read.storageClass ?? source.storageClass
    const head = {
      ...read,
      ...(listed && { metadata: listed }),
      ...(storageClass !== undefined && { storageClass }),
      ...{ tags: read.tags ?? otherTags, lastModifiedMs: source.lastModifiedMs },
    }
    const ends = { source: /** @type {any} */ (from), destination: job.destination }
    return { ...(await readSourceAttributes(ends, head, wish, signal)), encrypted, head }
  }

  return {
    async describeRead(order, source, read) {
      return await describeAs(order, source, read, 'tags' in source ? source.tags : samples.defaultTagCount())
    },
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

module.exports = { createDescriber, createGuess, createSamples }
