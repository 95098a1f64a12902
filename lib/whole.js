'use strict'

/** The route `put`: an object that fits one part, read whole and written in one PUT. */

const { createMd5Check } = require('./md5')
const { checkParts, checkStored, sameEtag } = require('./integrity')
const { explainWith } = require('./outcome')
const { runParts } = require('./schedule')
const { taskMaker } = require('./tasks')

/** @typedef {import('./types').Written} Written */

/**
 * @param {import('./types').WriteWork} work
 * @returns {Promise<Written>}
 */
async function writeWhole(work) {
  await greet(work)
  try {
    return await put(work, true)
  } catch (error) {
    if (/** @type {import('./types').XferError} */ (error).code !== 'TRAILER_REFUSED') throw error
    work.restart()
    return await put(work, false)
  }
}

/**
 * A PUT is the first that this store hears of us: a look at its key finds the bucket's region, the store's clock and
 * a missing bucket before any byte is moved. Who may only write is denied the look, and goes on.
 *
 * @param {import('./types').WriteWork} work
 */
async function greet({ job }) {
  const { destination, signal } = job
  await destination.store.head(destination.key, { signal }).catch(error => {
    if (error.code !== 'NO_SUCH_KEY' && error.code !== 'ACCESS_DENIED') throw error
  })
}

/**
 * @param {import('./types').WriteWork} work
 * @param {boolean} checksum
 * @returns {Promise<Written>}
 */
async function put({ job, object, plan }, checksum) {
  const { source, destination, engine, settings, signal, emit } = job
  const { store, key } = destination
  const { metadata } = object
  const outcomes = await runParts(plan.parts, {
    sign: taskMaker({
      source,
      object,
      md5: !checksum,
      write: ({ bytes }) => store.putRequest({ key, bytes, metadata, checksum, ifNoneMatch: !settings.clobber }),
    }),
    run: engine.run,
    explain: explainWith({ source: source.store, destination: store, trailer: checksum }),
    ...(!checksum && { check: createMd5Check(store.facts) }),
    concurrency: 1,
    retries: settings.retries,
    signal,
    emit,
  })
  const crc32 = checkParts(outcomes, plan.parts, object)
  const stored = await store.head(key, { signal }).catch(() => undefined)
  const ours = stored && sameEtag(stored.etag, outcomes[0].etag) ? stored : undefined
  if (ours) checkStored(ours, { bytes: object.bytes, crc32 })
  return {
    outcomes,
    crc32,
    etag: outcomes[0].etag,
    versionId: ours?.versionId,
    storedCrc32: ours?.checksum?.type === 'FULL_OBJECT' ? ours.checksum.crc32 : undefined,
  }
}

module.exports = { writeWhole }
