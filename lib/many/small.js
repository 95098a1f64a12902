'use strict'

/**
 * Copies small objects below a prefix, each in one request, with the writer of single objects (lib/copy/small.js) and many orders
 * at once. Through a function the source gets no request but the read: the function finds the object's headers in the response. If
 * they differ from the guessed ones, it writes nothing, and both requests are signed again. The headers and attributes are guessed from
 * those of other objects.
 */

const { isDeepStrictEqual } = require('node:util')
const { XferError } = require('../errors')
const { createPut, needsParts, readSourceAttributes, throughEngine } = require('../copy')
const { acceptGone } = require('../destination')
const { publicSums } = require('../integrity')
const { checkPinned, placeOf } = require('./keys')

/**
 * @typedef {import('./writers').ObjectWork} ObjectWork
 * @typedef {import('./writers').WriteAttempt} WriteAttempt
 * @typedef {import('./writers').KnownSource} KnownSource
 *
 * What both ways share.
 * @typedef {object} Common
 * @property {(notice: import('../types').Notice) => void} tell
 * @property {ReturnType<typeof import('../copy/attributes').createFirstLooks>} lookAt
 * @property {ReturnType<typeof import('./looks').createLooks>} looks
 */

/**
 * Copies through the engine.
 *
 * @param {Common & { way: import('./writers').OpenWay }} how
 */
function smallThroughEngine({ way: { job, schedule }, ...common }) {
  const { source } = job
  const { signsLate: latest = -1 } = job.engine.can
  const describer = createDescriber({ job, late: latest >= 0 })
  // The way's schedule has its own limits.
  const reader = /** @type {any} */ ({
    job,
    schedule: (/** @type {any} */ parts, /** @type {any} */ how) => schedule(parts, { ...how, lane: 1, hedge: false }),
    reading: () => () => {},
  })
  return createSmall({
    ...common,
    job,
    way: 'put',
    via: throughEngine({ job, schedule, describer, reader, many: true }),
    inParts: needsParts,
    ask: describer.ask,
    async find(name, listed) {
      if (source.store.can.listsMetadata) return { ...listed, headers: {} }
      // A list without ETags tells the time, as the read does. Others are pinned behind this.
      const known = listed.etag === '' ? source.store.pin(listed) : listed
      const sample = describer.sampled ? undefined : await describer.first(name, listed.versionId)
      const found = sample ?? known
      if ('headers' in found || (found.etag !== '' && (found.bytes <= latest || describer.guesses()))) return found
      return await describer.ask(name, listed.versionId)
    },
  })
}

/**
 * Copies by the store of both sides. The listing has the ETag of each object, and the copy has the same one if both are
 * MD5s. Only objects that this does not prove cost another request.
 *
 * @param {Common & { way: import('./writers').OpenWay }} how
 */
function smallByStore({ way: { job, schedule, inParts }, ...common }) {
  const via = require('../copy').byStore({ job, schedule, many: true })
  const { source, run } = job
  /** @param {string} name @param {string} [versionId] */
  const ask = (name, versionId) =>
    source.store.head(source.key + name, { signal: run.cancel, versionId }).catch(acceptGone)
  return createSmall({
    ...common,
    job,
    via,
    ask,
    way: 'copy',
    inParts: object => object.metadata !== undefined && inParts(object),
    async find(name, { key: _, doubtful: __, ...listed }) {
      return via.asksFirst(listed) ? await ask(name, listed.versionId) : listed
    },
  })
}

/**
 * @param {Common & Pick<Parameters<typeof createPut>[0], 'job' | 'via'> & {
 *   find: (name: string, listed: import('../types').ListedObject) => Promise<KnownSource | undefined>,
 *   ask: (name: string) => Promise<KnownSource | undefined>, inParts: NonNullable<import('../copy/small').Order['inParts']>,
 *   way: 'put' | 'copy' }} how find: the source; undefined: it was deleted; ask: the same, of an object that was replaced; inParts: whether
 *   it needs parts, as it is now
 * @returns {(work: ObjectWork) => Promise<WriteAttempt>}
 */
function createSmall({ find, ask, inParts, tell, lookAt, way, ...how }) {
  const { source, destination, settings, trust, run } = how.job
  const put = createPut({ ...how, single: false, skipsExisting: settings.condition.ifNoneMatch === true })
  const alone = createFirstAlone()
  return async ({ name, source: listed, restart, written, alone: isFirst = false }) => {
    const asked = await find(name, listed)
    if (listed.pinned) checkPinned(listed, asked)
    const found = asked && source.store.pin(asked)
    // The object was deleted after it was listed.
    if (!found) return 'skipped'
    const to = placeOf(destination, name)
    if (to.key === '') throw new XferError('NO_NAME', { key: source.key })
    /** @type {import('../copy/small').Order} */
    const order = {
      from: placeOf(source, name, listed.versionId),
      to,
      source: found,
      alone: isFirst,
      inParts,
      restart,
      written,
      ...(!listed.pinned && { ask: () => ask(name) }),
      emit(event) {
        if (event.type === 'notice') tell(event)
        // The object has an event of its own instead of `part`; other events get its name.
        else if (event.type !== 'part') run.emit({ ...event, name })
      },
      unproved: () => run.journal.note({ type: 'failed', name, unsure: true }),
    }
    // Of a store that is not known the first object is written alone, to see how it behaves.
    const isKnown = way === 'copy' || (settings.proved ? trust.put() : settings.verify === 'none')
    const done = isKnown
      ? await put(order)
      : await alone(first => {
          order.alone ||= first
          return put(order)
        })
    if (done === 'skipped' || 'now' in done) return done
    const { etag, stored, outcome, attributes } = done
    const looked = lookAt(to, attributes, { etag, stored, way }, run.cancel)
    if (looked) await looked
    return copiedOf(done, outcome.timing.totalMs)
  }
}

/**
 * What is told of a copied object.
 *
 * @param {Pick<import('../copy/small').PutResult, 'bytes' | 'etag' | 'sums' | 'versionId' | 'proof' | 'read'>} written
 * @param {number} tookMs
 * @returns {import('./writers').Timed}
 */
function copiedOf({ bytes, etag, sums, versionId, proof, read }, tookMs) {
  /** @type {import('./writers').Timed} */
  const copied = { bytes, etag, ...publicSums(sums), proof, read, tookMs }
  if (versionId !== undefined) copied.versionId = versionId
  return copied
}

/** Runs writes one by one until the first has succeeded. */
function createFirstAlone() {
  let through = false
  /** @type {Promise<unknown> | undefined} */
  let first
  /** @template T @param {(alone: boolean) => Promise<T>} write @returns {Promise<T>} */
  return async write => {
    while (!through && first) await first.catch(() => {})
    if (through) return await write(false)
    const written = write(true)
    first = written
    try {
      const done = await written
      through = true
      return done
    } finally {
      first = undefined
    }
  }
}

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
      if (++failed <= MOST_FAILED) {
        most++
        describer.sampled = false
      }
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

  const describer = {
    /** Whether there are enough samples: nobody waits for one any more. */
    sampled: false,

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
      const own = asking.length < most ? sample(name, versionId) : undefined
      if (own) asking.push(own)
      await Promise.all(asking)
      if (asking.length === most) describer.sampled = true
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
  return describer
}

module.exports = { copiedOf, createDescriber, createFirstAlone, smallByStore, smallThroughEngine }
