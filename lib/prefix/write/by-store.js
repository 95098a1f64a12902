'use strict'

/**
 * Server-side copies of objects within one store. Objects that the store refuses to copy go through the engine. After too
 * many refusals the store is not asked any more.
 */

const { withEngineFallback } = require('../../object')
const { notice } = require('../../notices')
const { placeOf } = require('../keys')
const { createSmallByStore } = require('./small')

/** @typedef {import('./small').Work} Work */
/** @typedef {import('./writers').Copied} Copied */

/** Refusals in a row, by a store that has copied other objects: it may refuse only these objects. */
const MOST_REFUSALS = 20

/**
 * @param {object} how
 * @param {import('./ways').Way} how.way
 * @param {ReturnType<typeof import('./large').createLarge>} how.large
 * @param {(work: Work) => Promise<Copied | 'skipped'>} how.throughEngine
 * @param {ReturnType<typeof import('../report/events').createNotifyOnce>} how.notifyOnce
 * @param {ReturnType<typeof import('../../object/attributes').createFirstLooks>} how.lookAt
 * @param {ReturnType<typeof import('./sizes').createSizes>} how.sizes
 */
function createByStore({ way, large, throughEngine, notifyOnce, lookAt, sizes }) {
  const { source, settings, run } = way.job
  const small = createSmallByStore({ way, notifyOnce, lookAt, sizes })
  /** A store may copy objects in one request and refuse to copy parts. */
  const refusals = { object: countRefusals(), parts: countRefusals() }

  /** The first copy. The others wait for it: otherwise many would be refused before its outcome is known. @type {Promise<unknown> | undefined} */
  let first

  /** @param {Work} work @returns {Promise<Copied | 'skipped'>} */
  async function copy(work) {
    // A large object may take a minute: too long to wait for.
    if (first || work.source.bytes > settings.chunkBytes) {
      await first
      return await attempt(work)
    }
    const copied = attempt(work)
    first = copied.catch(() => {})
    return await copied
  }

  /** @param {Work} work @returns {Promise<Copied | 'skipped'>} */
  async function attempt(work) {
    const inParts = way.inParts(work.source)
    const { tooMany, copied, refused } = inParts ? refusals.parts : refusals.object
    if (tooMany()) return await throughEngine(work)
    const own = { source: placeOf(source, work.name), settings, run }
    return await withEngineFallback(own, work.source, {
      byStore: async () => {
        const done = inParts ? await large.copy(way, work) : await small.copy(work)
        if (done === 'skipped') return done
        copied()
        if (!('now' in done)) return { ...done, byStore: true }
        // The source was replaced, and the new object may need the other way.
        return await attempt({ ...work, source: { ...work.source, ...done.now } })
      },
      throughEngine: () => throughEngine(work),
      onRefusal(reason) {
        refused()
        notifyOnce(notice('SERVER_COPY_REFUSED', { reason }))
        work.restart()
      },
    })
  }

  return { copy }
}

/** One refusal is too many for a store that has not copied anything yet. */
function countRefusals() {
  let most = 1
  let refusals = 0
  return {
    tooMany: () => refusals >= most,
    copied() {
      most = MOST_REFUSALS
      refusals = 0
    },
    refused() {
      refusals++
    },
  }
}

module.exports = { createByStore }
