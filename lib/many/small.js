'use strict'

/**
 * Copies small objects below a prefix, each in one request, with the writer of single objects (lib/copy/small.js) and many orders
 * at once. Through a function the source gets no request but the read: the function finds the object's headers in the response. If
 * they differ from the guessed ones, it writes nothing, and both requests are signed again.
 */

const { XferError } = require('../errors')
const { createPut, needsParts, throughEngine } = require('../copy')
const { acceptGone } = require('../destination')
const { publicSums } = require('../integrity')
const { checkPinned, placeOf } = require('./keys')
const { createDescriber } = require('./describer')

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
      const found = (await describer.first(name, listed.versionId)) ?? known
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

module.exports = { copiedOf, smallByStore, smallThroughEngine, createFirstAlone }
