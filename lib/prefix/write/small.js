'use strict'

/**
 * Copies small objects below a prefix, each in one request, with the writer of single objects (lib/object/) and many orders
 * at once. The source gets no request but the read: the function finds the object's headers in the response. If they
 * differ from the guessed ones, it writes nothing, and both requests are signed again.
 */

const { isDeepStrictEqual } = require('node:util')
const { publicSums } = require('../../integrity')
const { XferError } = require('../../errors')
const { byStore, copySourceOf, createPut, createReader, signsLate, throughEngine } = require('../../object')
const { acceptGone } = require('../../destination')
const { placeOf } = require('../keys')
const { createDescriber, createGuess, createSamples } = require('./describer')
const { isLarge } = require('./large')

/**
 * @typedef {object} Work
 * @property {string} name
 * @property {import('../../types').ListedObject} source
 * @property {import('../../types').ListedObject} [destination]
 * @property {import('../selection/selection').Verdict} verdict
 * @property {(bytes: number, earlier?: boolean) => void} moved earlier: by an earlier run of the job
 * @property {() => void} restart the moved bytes do not count: they have to be moved again
 * @property {boolean} roomy whether it has entered the room for large objects
 *
 * @typedef {{ bytes: number, etag: string, crc32?: string, sums?: import('../../types').Sums, versionId?: string, proof: import('../../types').Proof[], read?: KnownSource }} Copied read: the source as it was read
 *
 * @typedef {import('../../object/put/types').KnownSource} KnownSource
 * @typedef {import('../../object/put/types').Order} Order
 */

/**
 * What the engine's way and the store's way share.
 *
 * @typedef {object} Common
 * @property {import('../../job/open').Context} job
 * @property {ReturnType<typeof import('../report/events').createNotifyOnce>} notifyOnce
 * @property {ReturnType<typeof import('../../object/attributes').createFirstLooks>} lookAt
 * @property {ReturnType<typeof import('./sizes').createSizes>} sizes
 */

/**
 * Copies through the engine.
 *
 * @param {Common & { selection: import('../selection/selection').Selection, scheduleOne: import('../../object/put/types').ScheduleOne }} how
 */
function createSmall({ job, selection, scheduleOne, notifyOnce, lookAt, sizes }) {
  const { source, destination, settings, trust } = job
  const { cancel: signal } = job.run
  const guess = createGuess()
  const isLate = signsLate(job.engine)
  const samples = createSamples({ source, destination, settings, signal, late: isLate(0) }, guess)
  const describer = createDescriber({ job, guess, samples })
  const reader = createReader({ scheduleOne })
  const put = createPut({
    ...{ job, reader, sizes, tell: notifyOnce },
    via: throughEngine({ job, scheduleOne, describer, reader }),
    condition: settings.condition,
    keepsConditions: !destination.store.can.ignoresConditions,
    skipsExisting: selection.ignoreExisting,
    single: false,
  })
  const alone = createFirstAlone()

  /** @param {string} name @returns {Promise<KnownSource | undefined>} undefined: it was deleted */
  async function ask(name) {
    const found = await samples.ask(name).catch(acceptGone)
    if (!found) return undefined
    guess.was(isDeepStrictEqual(found.headers, guess.headers(name)))
    guess.learn(name, found.headers)
    return found
  }

  return {
    /** @param {Work} work @returns {Promise<Copied | 'skipped' | { now: KnownSource }>} now: the source was replaced by a large object */
    async copy(work) {
      const { name, source: listed } = work
      /** @type {KnownSource | undefined} */
      let found = source.store.can.listsMetadata ? { ...listed, headers: {} } : ((await samples.first(name)) ?? listed)
      if (!found.headers && (found.etag === '' || !(isLate(found.bytes) || guess.worthIt(found.bytes))))
        found = await ask(name)
      // The object was deleted after it was listed.
      if (!found) return 'skipped'
      const order = orderOf(job, work, {
        source: found,
        ask: () => ask(name),
        isLarge: object => isLarge(object, settings),
      })
      // On an unknown store the first object is written alone, to see how the store behaves.
      const known = settings.proved
        ? await trust.known({ prefix: job.destination.key, signal })
        : settings.verify === 'none'
      const done = await (known ? put(order) : alone(() => put(order)))
      return await copiedOf(done, { order, lookAt, way: 'put', signal })
    },
  }
}

/**
 * Copies by the store of both sides. The listing has the ETag of each object, and the copy has the same one if both are
 * MD5s. Only objects that this does not prove cost another request.
 *
 * @param {Omit<Common, 'job'> & { way: import('./ways').Way }} how
 */
function createSmallByStore({ way, notifyOnce, lookAt, sizes }) {
  const { job } = way
  const { source, destination, settings } = job
  const { cancel: signal } = job.run
  const { condition } = settings
  const copySource = (/** @type {KnownSource} */ found, /** @type {any} */ from) => copySourceOf(from, found.etag)
  const via = byStore({ job, scheduleOne: way.scheduleOne, condition, copySourceOf: copySource, tell: notifyOnce })
  const put = createPut({
    ...{ job, via, condition, sizes, tell: notifyOnce, single: false },
    reader: createReader({ scheduleOne: way.scheduleOne }),
    keepsConditions: destination.store.serverCopy?.conditional ?? false,
    skipsExisting: condition.ifNoneMatch === true,
  })

  return {
    /** @param {Work} work @returns {Promise<Copied | 'skipped' | { now: KnownSource }>} now: the source was replaced by an object that does not fit one request */
    async copy(work) {
      const ask = async () => await source.store.head(source.key + work.name, { signal }).catch(acceptGone)
      const { key: _, doubtful: __, ...listed } = work.source
      /** @type {KnownSource | undefined} */
      const found = via.asksFirst(listed) ? await ask() : listed
      if (!found) return 'skipped'
      const isLargeNow = (/** @type {KnownSource} */ object) => object.metadata !== undefined && way.inParts(object)
      const order = orderOf(job, work, { source: found, ask, isLarge: isLargeNow })
      return await copiedOf(await put(order), { order, lookAt, way: 'copy', signal })
    },
  }
}

/**
 * @param {import('../../job/open').Context} job of the prefix
 * @param {Work} work
 * @param {Pick<Order, 'source' | 'ask' | 'isLarge'>} rest
 * @returns {Order}
 * @throws {XferError} NO_NAME
 */
function orderOf({ source, destination, run: { journal, emit } }, { name, restart }, rest) {
  const to = placeOf(destination, name)
  if (to.key === '') throw new XferError('NO_NAME', { key: source.key })
  return {
    ...rest,
    from: placeOf(source, name),
    to,
    emit(event) {
      // The object has an event of its own instead of `part`; other events get its name.
      if (event.type !== 'part') emit({ ...event, name })
    },
    restart,
    unproved: () => journal.note({ type: 'failed', name, unsure: true }),
  }
}

/**
 * @param {Awaited<ReturnType<ReturnType<typeof createPut>>>} done
 * @param {{ order: Order, lookAt: Common['lookAt'], way: 'put' | 'copy', signal?: AbortSignal }} how
 * @returns {Promise<Copied | 'skipped' | { now: KnownSource }>}
 */
async function copiedOf(done, { order, lookAt, way, signal }) {
  if (done === 'skipped' || 'now' in done) return done
  const { bytes, etag, sums, versionId, proof, read } = done
  await lookAt(order.to, done.attributes, { ...done, way }, signal)
  return {
    ...{ bytes, etag, proof, read },
    ...publicSums(sums),
    ...(versionId !== undefined && { versionId }),
  }
}

/** Runs writes one by one until the first has succeeded. */
function createFirstAlone() {
  let through = false
  /** @type {Promise<unknown> | undefined} */
  let first
  /** @template T @param {() => Promise<T>} write @returns {Promise<T>} */
  return async write => {
    while (!through) {
      if (first) await first.catch(() => {})
      else {
        const written = write()
        first = written
        try {
          await written
          through = true
        } finally {
          first = undefined
        }
        return await written
      }
    }
    return await write()
  }
}

module.exports = { createSmall, createSmallByStore }
