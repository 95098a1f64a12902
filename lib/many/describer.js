'use strict'

/**
 * The headers and attributes of objects below a prefix: guessed from those of other objects, and corrected by what a read of the
 * object returns.
 */

const { isDeepStrictEqual } = require('node:util')
const { acceptGone } = require('../destination')
const { readSourceAttributes } = require('../copy')

/** How many of the last guesses are counted. */
const REMEMBERED = 20
/** If a smaller share of the guesses is right, guessing costs more than a HEAD. */
const WORTH_IT = 0.5
/** Endings of names that are remembered, each with the headers that it was last found with. */
const MOST_ENDINGS = 256
const ENDING = /\.([^./]{1,16})$/

/** The headers that describe an object, names in lower case. @typedef {Record<string, string>} DescribingHeaders */

/** @param {string} name @returns {string} in lower case; '' if it has none */
function endingOf(name) {
  return ENDING.exec(name)?.[1].toLowerCase() ?? ''
}

/** Samples if tags are copied: some stores do not report the number of an object's tags with the object. */
const MOST_SAMPLES = 20
/** Failed samples (missing or denied objects) that are replaced by another one. */
const MOST_FAILED = 100

/** @typedef {import('../copy/small').KnownSource} KnownSource */
/** @typedef {KnownSource & { headers: DescribingHeaders }} DescribedObject */

/**
 * The headers and attributes of objects below a prefix. Those of the first objects are asked for, and the others are assumed to be
 * alike. Each sample costs one HEAD, and one request for the tags if the copies can have any.
 *
 * @param {object} how
 * @param {Pick<import('../job/open').Context, 'source' | 'destination' | 'settings' | 'run'>} how.job of the prefix
 * @param {boolean} how.late the headers are read before they are needed
 */
function createDescriber({ job, late }) {
  const { source, destination, settings } = job
  const { cancel: signal } = job.run
  const wish = settings.attributes
  // A store that sets times keeps nothing else.
  const takesTags = wish.tags === 'copy' && !destination.store.setTime
  let most = takesTags ? MOST_SAMPLES : late ? 0 : 1
  let failed = 0
  /** @type {Promise<unknown>[]} */
  const asking = []
  /** How many have answered, once enough have. */
  let asked = -1
  /** Whether the store reports the number of tags: true until a sample has tags and no number. */
  let tellsCounts = true

  /** The last headers of any object; at first the usual default of stores. @type {DescribingHeaders} */
  let last = { 'content-type': 'binary/octet-stream' }
  /** The last ones of names with the same ending, which have one content type. @type {Map<string, DescribingHeaders>} */
  const byEnding = new Map()
  /** Whether the last guesses were right, or would have been. @type {boolean[]} */
  let right = []

  /** Neighbouring objects were mostly written by one program. @param {string} name */
  const guess = name => byEnding.get(endingOf(name)) ?? last

  /** @param {string} name @param {DescribingHeaders} found */
  function learn(name, found) {
    last = found
    const ending = endingOf(name)
    if (byEnding.has(ending) || byEnding.size < MOST_ENDINGS) byEnding.set(ending, found)
  }

  /** Records whether a guess was right. @param {boolean} asGuessed */
  function was(asGuessed) {
    right = [...right.slice(1 - REMEMBERED), asGuessed]
  }

  /** @param {string} name @param {string} [versionId] @returns {Promise<DescribedObject>} */
  async function head(name, versionId) {
    const asked = await source.store.head(source.key + name, { signal, versionId })
    const { bytes, etag, lastModifiedMs, ...description } = asked
    const { storageClass, sums, metadata } = description
    return {
      bytes,
      etag,
      lastModifiedMs,
      headers: source.store.describingHeaders(description),
      ...(storageClass !== undefined && { storageClass }),
      ...(sums && { sums }),
      ...(source.store.can.listsMetadata && { metadata }),
    }
  }

  /** @param {string} name @param {string} [versionId] @returns {Promise<KnownSource | undefined>} undefined: it failed; the copy will report the reason */
  async function sample(name, versionId) {
    const found = await head(name, versionId).catch(() => undefined)
    if (!found) {
      // A failure shows nothing about the other objects, so another sample replaces it.
      if (++failed <= MOST_FAILED) most++
      return undefined
    }
    learn(name, found.headers)
    const { tags } = source.store.readDescription(found.headers)
    if (tags !== undefined || !takesTags) return found
    const asked = await source.store.tags?.read(source.key + name, { signal, versionId }).catch(() => undefined)
    if (asked && asked.length > 0) tellsCounts = false
    // If the tags may not be read, the copy of the object reports it.
    return { ...found, tags: asked?.length }
  }

  /**
   * @param {Pick<import('../copy/small').Order, 'from'>} order
   * @param {KnownSource} known
   * @param {ReturnType<import('../types').Store['readDescription']>} read
   * @param {boolean} [sampled] whether `known` tells the number of its tags, if it has one
   */
  async function describeRead({ from }, known, read, sampled = true) {
    // An object whose head reports no number of tags has none; undefined: the store has to be asked.
    const otherTags = sampled && 'tags' in known ? known.tags : tellsCounts ? 0 : undefined
    const object = { ...read, tags: read.tags ?? otherTags, lastModifiedMs: known.lastModifiedMs }
    if (known.metadata && source.store.can.listsMetadata) object.metadata = known.metadata
    // Not every store tells the storage class with a read.
    object.storageClass ??= known.storageClass
    const ends = { source: /** @type {any} */ (from), destination }
    const { attributes, notices } = await readSourceAttributes(ends, object, wish, signal)
    return { attributes, notices, encrypted: read.encrypted === true }
  }

  return {
    /** Whether to read with guessed headers, instead of a HEAD first. */
    guesses: () => right.filter(Boolean).length >= right.length * WORTH_IT,

    /** @param {string} name @param {string} [versionId] @returns {Promise<DescribedObject | undefined>} undefined: it was deleted */
    async ask(name, versionId) {
      const found = await head(name, versionId).catch(acceptGone)
      if (!found) return undefined
      was(isDeepStrictEqual(found.headers, guess(name)))
      learn(name, found.headers)
      return found
    },

    /** @param {string} name @param {string} [versionId] @returns {Promise<KnownSource | undefined>} the sample, of one of the first objects; resolves once there are enough samples */
    async first(name, versionId) {
      if (asked === most) return undefined
      const own = asking.length < most ? sample(name, versionId) : undefined
      if (own) asking.push(own)
      await Promise.all(asking)
      if (asking.length === most) asked = most
      return await own
    },

    describeRead,

    /** @type {import('../copy/through-engine').Describer['describe']} */
    async describe(order, known, headers) {
      const expected = headers ?? guess(order.from.key)
      const read = source.store.readDescription(expected)
      const described = await describeRead(order, known, read, headers === known.headers)
      // Only the time of the copy depends on them, and it is corrected afterwards.
      const own = { ...described, ...(!destination.store.setTime && { expected }) }
      return headers ? own : { ...own, notices: [] }
    },

    /** @type {import('../copy/through-engine').Describer['differs']} */
    differs({ from }, headers) {
      was(false)
      learn(from.key, headers)
    },

    fits: () => was(true),
  }
}

module.exports = { createDescriber }
