'use strict'

/**
 * Objects within one store, which is asked to copy them by itself. What it refuses goes through the engine, and once it
 * refuses so much that nothing else is to be expected, it is not asked any more.
 */

const { asXferError } = require('../../errors')
const { whyNot } = require('../../object')
const { notice } = require('../../notices')
const { createSmallByStore } = require('./small')

/** @typedef {import('./small').Work} Work */
/** @typedef {import('./objects').Copied} Copied */

/** In a row, of a store that has copied some: these may be objects that it does not copy, and not a store that does not. */
const MOST_REFUSALS = 20

/**
 * @param {object} how
 * @param {import('./ways').Way} how.way
 * @param {ReturnType<typeof import('./large').createLarge>} how.large
 * @param {(work: Work) => Promise<Copied | 'skipped'>} how.throughEngine
 * @param {ReturnType<typeof import('../report/notify-once').createNotifyOnce>} how.notifyOnce
 * @param {ReturnType<typeof import('../../object/put/with-fallbacks').createConceded>} how.conceded
 * @param {ReturnType<typeof import('./kept').createKept>} how.kept
 * @param {ReturnType<typeof import('./sizes').createSizes>} how.sizes
 */
function createByStore({ way, large, throughEngine, notifyOnce, conceded, kept, sizes }) {
  const { source, settings, run } = way.job
  const small = createSmallByStore({ way, notifyOnce, conceded, kept, sizes })
  /** Stores that copy objects need not copy parts. */
  const patience = { whole: createPatience(), parts: createPatience() }

  /** Many would be refused before that of the first is known. @type {Promise<unknown> | undefined} */
  let first

  /** @param {Work} work @returns {Promise<Copied | 'skipped'>} */
  async function copy(work) {
    // A large one may take a minute, which is too long to wait for.
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
    const { lost, copied, refused } = inParts ? patience.parts : patience.whole
    if (lost()) return await throughEngine(work)
    try {
      const done = inParts ? await large.copy(way, work) : await small.copy(work)
      if (done !== 'skipped') copied()
      if (done === 'skipped') return done
      if (!('now' in done)) return { ...done, byStore: true }
      // It has become another one, which is copied otherwise; should it change again, that is told.
      return await attempt({ ...work, source: { ...work.source, ...done.now } })
    } catch (cause) {
      const error = asXferError(cause)
      const { key, text } = source
      const own = { source: { ...source, key: key + work.name, text: text + work.name }, run }
      const why = await whyNot(own, work.source, error)
      if (why === undefined || settings.route === 'server') throw error
      refused()
      notifyOnce(notice('SERVER_COPY_REFUSED', { reason: why }))
      work.restart()
      return await throughEngine(work)
    }
  }

  return { copy }
}

/** A store that never copied anything is not asked a second time. */
function createPatience() {
  let most = 1
  let refusals = 0
  return {
    lost: () => refusals >= most,
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
