'use strict'

/**
 * How one object is written: by the store itself or through the engine, in one request or in parts. Objects that the store
 * refuses to copy go through the engine; after too many refusals the store is not asked any more. If the source was replaced
 * after it was read, it is copied again. If it is missing, it was deleted, unless the store still lists it: then the store
 * failed to return it.
 */

const { XferError, asXferError } = require('../errors')
const { acceptGone } = require('../destination')
const { notice } = require('../notices')
const { createFirstLooks, withEngineFallback } = require('../object')
const { LONGEST_COPY_S, wholeSeconds } = require('../select')
const { placeOf } = require('./keys')
const { createNotifyOnce } = require('./report')
const { createLarge, isLarge } = require('./large')
const { createFirstAlone, createSizes, smallByStore, smallThroughEngine } = require('./small')

/**
 * @typedef {object} Work
 * @property {string} name
 * @property {import('../types').ListedObject} source
 * @property {(bytes: number, earlier?: boolean) => void} moved earlier: by an earlier run of the job
 * @property {() => void} restart the moved bytes do not count: they have to be moved again
 * @property {boolean} roomy whether it has entered the room for large objects
 *
 * @typedef {import('../object/put/types').KnownSource} KnownSource
 * @typedef {{ bytes: number, etag: string, crc32?: string, sums?: import('../types').Sums, versionId?: string, proof: import('../types').Proof[], read?: KnownSource, byStore?: true, tookMs?: number }} Copied
 *   read: the source as it was read; byStore: without the engine; tookMs: from the start of its read to the end of its write
 * @typedef {Copied & { tookMs: number }} Timed
 * @typedef {Timed | 'skipped' | { now: KnownSource }} Attempt skipped: the source reported it missing, or the destination's object was
 *   left alone; now: the source was replaced by an object that goes another way
 */

/** Attempts if the source is replaced, or seems to be missing. */
const MOST_TURNS = 3
/** Refusals in a row, by a store that has copied other objects: it may refuse only these objects. */
const MOST_REFUSALS = 20
const LISTED = 'it lists the object, and says that there is no such object where it is to be read'

/**
 * @param {object} how
 * @param {import('../job/open').Context} how.job
 * @param {import('./selection').Selection} how.selection
 * @param {ReturnType<typeof import('./ways').createWays>} how.ways
 * @param {import('./ways').Way} [how.server] where the store copies
 * @param {ReturnType<typeof import('./ways').createRooms>} how.rooms
 * @param {ReturnType<typeof import('./tally').createTally>} how.tally
 */
function createWriters({ job, selection, ways, server, rooms, tally }) {
  const { source, destination, settings, run } = job
  const { cancel: signal } = run
  const tell = createNotifyOnce(run.emit)
  const lookAt = createFirstLooks(tell)
  const sizes = createSizes({ store: destination.store, prefix: destination.key, signal })
  const copyLarge = createLarge({ tell, lookAt, assembling: tally.assembling })
  const skipsExisting = selection.ignoreExisting
  const copySmall = smallThroughEngine({ job, engineWay, skipsExisting, tell, lookAt, sizes })
  const copySmallByStore = server && smallByStore({ way: server, tell, lookAt, sizes })
  /** A store may copy objects in one request and refuse to copy parts. One refusal is too many if it has copied nothing yet. */
  const refusals = { whole: { most: 1, count: 0 }, parts: { most: 1, count: 0 } }
  const countParts = (/** @type {{ bytes: number }} */ { bytes }) => Math.max(1, Math.ceil(bytes / settings.chunkBytes))
  /** The others wait for the first copy by the store: otherwise many would be refused before its outcome is known. */
  const alone = createFirstAlone()

  /** Opens the engine's way, which may have a higher concurrency than the store's. */
  async function engineWay() {
    const way = await ways.engine()
    rooms.widen(way.concurrency)
    return way
  }

  /** @param {Work} work @returns {Promise<Attempt>} */
  async function throughEngine(work) {
    if (!isLarge(work.source, settings)) return await copySmall(work)
    const way = await engineWay()
    if (work.roomy) return await copyLarge(way, work)
    const size = countParts(work.source)
    await rooms.parts.enter(size)
    return await copyLarge(way, work).finally(() => rooms.parts.leave(size))
  }

  /** @param {Work} work @param {import('./ways').Way} way @returns {Promise<Attempt>} */
  async function byStore(work, way) {
    const inParts = way.inParts(work.source)
    const refused = inParts ? refusals.parts : refusals.whole
    if (refused.count >= refused.most) return await throughEngine(work)
    const own = { source: placeOf(source, work.name), settings, run }
    return await withEngineFallback(own, work.source, {
      byStore: async () => {
        const done = inParts || !copySmallByStore ? await copyLarge(way, work) : await copySmallByStore(work)
        if (done === 'skipped' || 'now' in done) return done
        Object.assign(refused, { most: MOST_REFUSALS, count: 0 })
        return { ...done, byStore: /** @type {const} */ (true) }
      },
      throughEngine: () => throughEngine(work),
      onRefusal(reason) {
        refused.count++
        tell(notice('SERVER_COPY_REFUSED', { reason }))
        work.restart()
      },
    })
  }

  /** @param {Work} work @returns {Promise<Attempt>} */
  async function copy(work) {
    if (!server) return await throughEngine(work)
    const start = () => byStore(work, server)
    // A large object may take a minute: too long to wait for.
    return await (work.source.bytes > settings.chunkBytes ? start() : alone(start))
  }

  /** @param {string} name @returns {Promise<import('../types').ObjectHead | undefined>} */
  async function head(name) {
    return await source.store.head(source.key + name, { signal }).catch(acceptGone)
  }

  /** @param {string} name */
  async function isListed(name) {
    const key = source.key + name
    // Without permission to list, the answer of the HEAD counts.
    const page = await source.store.list?.({ prefix: key, most: 1 }, { signal }).catch(cause => {
      if (asXferError(cause).code !== 'ACCESS_DENIED') throw cause
    })
    return page?.objects[0]?.key === key
  }

  /**
   * After a copy that took so long that a later sync could not see from the times whether the source was replaced between its
   * read and the end of the write.
   *
   * @param {Work} work a finished copy
   * @returns {Promise<import('../types').ObjectHead | undefined>} the new source, if it was replaced
   */
  async function replaced({ name, source: before }) {
    const now = await head(name)
    if (!now) return undefined
    const same = (before.etag === '' || now.etag === before.etag) && now.bytes === before.bytes
    // Some stores report milliseconds.
    const sameTime = wholeSeconds(now.lastModifiedMs ?? 0) === wholeSeconds(before.lastModifiedMs ?? 0)
    return same && sameTime ? undefined : now
  }

  return {
    /**
     * @param {Work} given
     * @returns {Promise<Copied | 'skipped' | 'gone'>} skipped: the destination's object is left alone; gone: the object is no longer at
     *   the source
     * @throws {XferError} SOURCE_CHANGED, BAD_ANSWER; the stores' errors
     */
    async write(given) {
      let work = given
      for (let turn = 1; ; turn++) {
        const done = await copy(work)
        if (done === 'skipped') {
          if (skipsExisting && (await head(work.name))) return done
          if (!(await isListed(work.name))) return 'gone'
          if (turn === MOST_TURNS) throw new XferError('BAD_ANSWER', { ...source.store.facts, reason: LISTED })
          continue
        }
        const isSlow = 'tookMs' in done && done.tookMs > LONGEST_COPY_S * 1000
        const now = 'now' in done ? done.now : isSlow ? await replaced(work) : undefined
        if (!now) return /** @type {Copied} */ (done)
        if (turn === MOST_TURNS) throw new XferError('SOURCE_CHANGED', source.store.facts)
        work.restart()
        work = { ...work, source: { ...work.source, ...now } }
      }
    },

    /** The number of its parts; undefined if it is written in one request. @param {{ bytes: number, etag: string }} object @returns {number | undefined} */
    partsOf: object => ((server ? server.inParts(object) : isLarge(object, settings)) ? countParts(object) : undefined),
  }
}

module.exports = { createWriters }
