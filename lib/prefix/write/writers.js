'use strict'

/** How one object is written: by the store itself or through the engine, in one request or in parts. */

const { XferError } = require('../../errors')
const { createFirstLooks } = require('../../object')
const { createByStore } = require('./by-store')
const { createCurrent, createSlow } = require('./current')
const { createLarge, isLarge } = require('./large')
const { createSizes } = require('./sizes')
const { createSmall } = require('./small')
const { createNotifyOnce } = require('../report')

/** @typedef {import('./small').Work} Work */
/** @typedef {import('./small').Copied & { byStore?: true }} Copied byStore: without the engine */
/** gone: the object is no longer at the source. @typedef {Copied | 'skipped' | 'gone'} Done */

/** How often an object may be replaced, by a large one or by a small one, before its copy fails. */
const MOST_TURNS = 3

/**
 * @param {object} how
 * @param {import('../../job/open').Context} how.job
 * @param {import('../selection/selection').Selection} how.selection
 * @param {ReturnType<typeof import('./ways').createWays>} how.ways
 * @param {import('./ways').Way} [how.server] where the store copies
 * @param {ReturnType<typeof import('./rooms').createRooms>} how.rooms
 * @param {ReturnType<typeof import('../report/tally').createTally>['assembling']} how.assembling
 */
function createWriters({ job, selection, ways, server, rooms, assembling }) {
  /** The engine's way, once it is open. @type {import('./ways').Way | undefined} */
  let opened
  const notifyOnce = createNotifyOnce(job.run.emit)
  const lookAt = createFirstLooks(notifyOnce)
  const { store, key: prefix } = job.destination
  const sizes = createSizes({ store, prefix, signal: job.run.cancel })
  const slow = createSlow()
  const large = slow.watchLarge(createLarge({ notifyOnce, lookAt, assembling }))
  const small = createSmall({
    job,
    selection,
    scheduleOne: slow.watch(async (bytes, how) => (opened ?? (await engineWay())).scheduleOne(bytes, how)),
    notifyOnce,
    lookAt,
    sizes,
  })
  const watched = server && { ...server, scheduleOne: slow.watch(server.scheduleOne) }
  const byStore = watched && createByStore({ way: watched, large, throughEngine, notifyOnce, lookAt, sizes })
  const copyCurrent = createCurrent({
    job,
    slow,
    skips: selection.ignoreExisting,
    copy: work => (byStore ? byStore.copy(work) : throughEngine(work)),
  })

  /** Opens the engine's way, which may have a higher concurrency than the store's. */
  async function engineWay() {
    const way = await ways.engine()
    opened = way
    rooms.widen(way.concurrency)
    return way
  }

  /** @param {Work} given @returns {Promise<Copied | 'skipped'>} */
  async function throughEngine(given) {
    let work = given
    for (let turn = 1; turn <= MOST_TURNS; turn++) {
      const done = isLarge(work.source, job.settings) ? await copyLarge(work) : await small.copy(work)
      if (done === 'skipped' || !('now' in done)) return done
      work = { ...work, source: { ...work.source, ...done.now } }
    }
    throw new XferError('SOURCE_CHANGED', job.source.store.facts)
  }

  /** @param {Work} work */
  async function copyLarge(work) {
    const way = await engineWay()
    if (work.roomy) return await large.copy(way, work)
    const size = countParts(work.source)
    await rooms.parts.enter(size)
    try {
      return await large.copy(way, { ...work, roomy: true })
    } finally {
      rooms.parts.leave(size)
    }
  }

  /** @param {{ bytes: number }} object */
  function countParts({ bytes }) {
    return Math.max(1, Math.ceil(bytes / job.settings.chunkBytes))
  }

  return {
    /** @param {Work} work @returns {Promise<Done>} */
    write: copyCurrent,

    /** The number of its parts; undefined if it is written in one request. @param {{ bytes: number, etag: string }} object @returns {number | undefined} */
    partsOf: object =>
      (server ? server.inParts(object) : isLarge(object, job.settings)) ? countParts(object) : undefined,
  }
}

module.exports = { createWriters }
