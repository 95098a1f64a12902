'use strict'

/** The route `put`: an object that fits one part, read whole and written in one PUT. */

const { createMd5Check } = require('./md5')
const { checkParts, checkStored, fullCrc32, isSameObject, sameEtag } = require('./integrity')
const { explainWith } = require('./outcome')
const { runParts } = require('./schedule')
const { taskMaker } = require('./tasks')

/** @typedef {import('./types').Written} Written */
/** @typedef {import('./types').WriteWork} WriteWork */

/**
 * @param {WriteWork} work
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
 * @param {WriteWork} work
 */
async function greet({ job }) {
  const { destination, stopping } = job
  await destination.store.head(destination.key, { signal: stopping }).catch(error => {
    if (error.code !== 'NO_SUCH_KEY' && error.code !== 'ACCESS_DENIED') throw error
  })
}

/**
 * @param {WriteWork} work
 * @param {boolean} checksum
 * @returns {Promise<Written>}
 */
async function put(work, checksum) {
  const { job, object, plan, limits } = work
  const { source, destination, engine, settings, stopping, signal, emit } = job
  const { store, key } = destination
  const { metadata } = object
  const compareMd5 = createMd5Check(store.facts, settings.retries)
  let taken = false
  let attempts = 1
  const copied = runParts(plan.parts, {
    sign: taskMaker({
      source,
      object,
      // A PUT is visible at once: what is not as the source keeps it must not even be written.
      crc32: fullCrc32(object.checksum),
      md5: !checksum,
      write: ({ bytes }) => store.putRequest({ key, bytes, metadata, checksum, condition: settings.condition }),
    }),
    run: engine.run,
    explain: explainWith({ source: source.store, destination: store, trailer: () => checksum && !taken }),
    check(outcome, attempt) {
      taken = true
      return compareMd5(outcome, attempt)
    },
    limits,
    concurrency: 1,
    retries: settings.retries,
    // Whoever interrupts it does not want it to appear a second later.
    signal: stopping,
    emit(event) {
      if (event.type === 'retry') attempts++
      emit(event)
    },
  })
  /** @type {import('./types').TaskSuccess[]} */
  let outcomes
  try {
    outcomes = await copied
  } catch (error) {
    const { code } = /** @type {import('./types').XferError} */ (error)
    const written = code === 'DESTINATION_EXISTS' && attempts > 1 ? await settle(work, attempts) : undefined
    if (written) return written
    throw error
  }
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

/**
 * A PUT that must not replace anything, sent again after an answer that was lost, is refused for what it wrote itself.
 * What is there counts as ours where it can be compared with the source; nothing else is claimed of it.
 *
 * @param {WriteWork} work
 * @param {number} attempt
 * @returns {Promise<Written | undefined>}
 */
async function settle({ job, object }, attempt) {
  const { destination, signal, emit } = job
  const found = await destination.store.head(destination.key, { signal }).catch(() => undefined)
  const crc32 = fullCrc32(found?.checksum)
  if (!found || crc32 === undefined || !isSameObject(found, object)) return undefined
  const { bytes, etag, versionId } = found
  emit({ type: 'part', partNumber: 1, bytes, crc32, attempt, elapsedMs: 0 })
  const timing = { startedAtMs: 0, firstByteMs: 0, totalMs: 0 }
  return { outcomes: [{ partNumber: 1, bytes, etag, crc32, timing }], crc32, etag, versionId }
}

module.exports = { writeWhole }
