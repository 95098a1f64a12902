'use strict'

/** The story of a download: open, head, plan, read, judge. And `--expect-sha256`, which reads a source by it. */

const { chooseEngine, findEngines } = require('../engines')
const { headObject, openOne, readEngine } = require('../job')
const { readerOf, silenceOf } = require('../options')
const { watchProgress } = require('../progress')
const { askLimits, shareRate, withRenewal } = require('../transfer')
const { NOTHING, judge, layoutOf, planProof } = require('./proof')
const { countRanges, parseRange, sizeRanges, chosenOf, readBytes } = require('./read')
const { createHash } = require('node:crypto')
const { XferError, factsOfCause, usage } = require('../errors')
const { notice } = require('../notices')

/** @typedef {import('../types').Download} Download */
/** @typedef {Awaited<ReturnType<typeof openDownload>>} Opened */
/** @typedef {import('../types').ObjectHead} ObjectHead */

/**
 * @param {Opened} opened
 * @param {(piece: Buffer) => Promise<void>} give hands out the bytes, in order; resolves when more are wanted
 * @returns {Promise<Download>}
 * @throws {import('../types').XferError} NO_SUCH_KEY, OBJECT_CHANGED, READ_CORRUPTED, MD5_DIFFERS, the failure of a range
 */
async function downloadObject(opened, give) {
  const { settings, source, run, engine, allowed, ended } = opened
  const startedMs = Date.now()
  const object = await headObject(source, ended, { below: 'list' })
  const chosen = chosenOf(settings.range, object.bytes)
  // A checksum of the whole object says nothing of a range.
  const judged = settings.proved && chosen.bytes === object.bytes
  const plan = judged ? planProof(object, await layoutOf(source, object, ended)) : NOTHING
  const { partBytes } = plan
  const { chunkBytes, chosenConcurrency } = settings
  const { rangeBytes, ahead } = sizeRanges({ chunkBytes, concurrency: chosenConcurrency, partBytes })
  const cut = { ...chosen, rangeBytes, ahead, partBytes }
  const ranges = countRanges(cut)
  // What a range may cost is known only once the object is.
  const limits = { concurrency: Math.min(settings.concurrency, allowed.concurrent), limits: allowed }
  const capacity = shareRate(opened, { ...limits, partBytes: Math.min(rangeBytes, chosen.bytes) })
  const concurrency = Math.min(capacity.concurrency, ahead, ranges)
  run.emit({ type: 'plan', ...planOf(opened), bytes: chosen.bytes, ranges, rangeBytes, ahead, concurrency })
  engine.warm?.(concurrency)
  const watch = watchProgress({ engine, run }, { bytes: chosen.bytes, parts: /** @type {any} */ ({ length: ranges }) })
  /** @type {Awaited<ReturnType<typeof judge>> | undefined} */
  let found
  let bytes = 0
  try {
    const read = readBytes({
      ...{ opened, object, cut, plan, watch },
      capacity: { ...capacity, concurrency },
      async judge(parts) {
        if (judged) found = await judge(opened, object, parts, { rangeBytes, capacity, watch })
      },
    })
    for await (const piece of read) {
      await give(piece)
      bytes += piece.length
    }
  } finally {
    watch.stop()
  }
  const elapsedMs = Date.now() - startedMs
  const bytesPerSecond = Math.round((bytes / Math.max(elapsedMs, 1)) * 1000)
  const { invocations, retried, throttled } = watch.counts()
  return {
    source: source.text,
    bytes,
    engine: engine.name,
    etag: object.etag,
    ...(object.versionId !== undefined && { versionId: object.versionId }),
    ...(found ?? { proof: [] }),
    ...{ elapsedMs, bytesPerSecond, invocations, retried, throttled },
  }
}

/** @param {Opened} opened */
function planOf({ source, engine, why, settings }) {
  const { bytesPerSecond: bandwidth } = settings
  return {
    ...{ source: source.text, engine: engine.name, where: engine.where, runsOn: engine.runsOn, why },
    ...(engine.startWith !== undefined && { adapts: /** @type {const} */ (true) }),
    ...(bandwidth !== undefined && { bandwidth }),
    notices: [],
  }
}

/** Opens what a download needs: its source, and the engine of this machine, which alone can fill the memory of this process. */

/** What the engine has to reach besides the source. @type {any} */
const MEMORY = { can: { reach: 'process' }, facts: { side: 'destination' } }

/**
 * It asks the network nothing.
 *
 * @param {string} location
 * @param {import('../types').DownloadOptions} options
 * @param {(event: import('../types').JobEvent) => void} emit
 * @param {AbortSignal} gone aborted when nobody reads any more
 * @throws {import('../types').XferError} of exit status 2, 4 or 5
 */
async function openDownload(location, options, emit, gone) {
  const settings = readSettings(options)
  const env = options.env ?? process.env
  const name = readEngine(options)
  const engines = await findEngines(name, options, env, { here: true })
  const one = await openOne(location, 'source', options, emit)
  const { end: source, run } = one
  try {
    const { engine: plain, why } = chooseEngine(engines, { ...settings, name, stores: [source.store, MEMORY] })
    const engine = withRenewal(run.usage.counting(plain), { source: source.store, destination: source.store })
    const allowed = await askLimits({ engine, settings, run })
    return {
      ...{ settings, source, run, engine, why, allowed },
      /** Aborted when the download ends before its end. */
      ended: AbortSignal.any([.../** @type {AbortSignal[]} */ ([run.cancel]), gone]),
      async close() {
        await engine.close()
        await one.close()
      },
    }
  } catch (error) {
    await one.close()
    throw error
  }
}

/** @param {import('../types').DownloadOptions} options */
function readSettings(options) {
  const read = readerOf('cat', options)
  // As of a copy to standard output, which gives its own default.
  const usual = readerOf('copy', {})('concurrency')
  const verify = read('verify')
  const concurrency = read('concurrency') ?? usual
  return Object.freeze({
    /** Undefined: xfer chooses the size of a range. */
    chunkBytes: read('chunk'),
    verify,
    proved: verify === 'auto' || verify === 'full',
    concurrency,
    /** Undefined: nobody chose one. */
    chosenConcurrency: concurrency === usual ? undefined : concurrency,
    bytesPerSecond: read('bandwidth'),
    retries: read('retries'),
    silenceMs: silenceOf(options),
    range: options.range === undefined ? undefined : parseRange(options.range),
    dryRun: false,
  })
}

/** Of the reading, what a user of the copy hears. */
const TOLD = ['notice', 'retry', 'outage', 'throttle']

/**
 * @param {string} location of the source, as it was given
 * @param {import('../types').JobWish} options of the copy, with the SHA-256 that is expected
 * @param {Pick<import('../job/open').Job, 'run' | 'settings'>} job
 * @returns {(object: ObjectHead) => Promise<ObjectHead>} resolves to the object with the checksums of what was read;
 *   rejects with INPUT_DIFFERS, SOURCE_CHANGED and the errors of reading
 * @throws {XferError} USAGE
 */
function sha256Judge(location, options, { run, settings }) {
  const expected = readSha256(/** @type {string} */ (options.expectSha256))
  if (!settings.proved) {
    throw usage(
      '--expect-sha256 compares what is written with what was read, and --verify none and size compare nothing.',
      'Leave --verify out.',
    )
  }
  return async object => {
    const told = notice('READING_SOURCE', { bytes: object.bytes })
    const { all = [], ofParts = [] } = object.notices ?? {}
    const announced = { ...object, notices: { all: [...all, told], ofParts } }
    if (settings.dryRun) return announced
    run.emit(told)
    const { sha256: found, etag, bytes, sums } = await readInOrder(location, options, run)
    if (found !== expected) throw new XferError('INPUT_DIFFERS', { what: 'SHA-256', expected, found, of: 'source' })
    if (etag !== object.etag || bytes !== object.bytes) throw new XferError('SOURCE_CHANGED')
    return { ...announced, sums: { ...object.sums, ...sums } }
  }
}

/**
 * @param {string} location
 * @param {import('../types').JobWish} options
 * @param {Pick<import('../job/contract').Run, 'cancel' | 'emit'>} run
 */
async function readInOrder(location, options, { cancel, emit }) {
  const { env, signal, caBundle, retries, outageTimeout, bandwidth, source } = options
  const wish = { env, signal, caBundle, retries, outageTimeout, bandwidth, source, engine: 'local' }
  const tell = (/** @type {import('../types').JobEvent} */ event) => {
    if (TOLD.includes(event.type)) emit(event)
  }
  const opened = await openDownload(location, /** @type {any} */ (wish), tell, /** @type {AbortSignal} */ (cancel))
  const hash = createHash('sha256')
  try {
    const read = await downloadObject(opened, async piece => void hash.update(piece)).catch(error => {
      if (error.code !== 'OBJECT_CHANGED') throw error
      throw new XferError('SOURCE_CHANGED', factsOfCause(error), { cause: error })
    })
    const { etag, bytes, sums } = /** @type {typeof read & Pick<ObjectHead, 'sums'>} */ (read)
    return { sha256: hash.digest('hex'), etag, bytes, sums }
  } finally {
    await opened.close()
  }
}

/** @param {string} text @returns {string} in lower case @throws {XferError} USAGE */
function readSha256(text) {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw usage('--expect-sha256 is not a SHA-256 in hex.', 'Give its 64 digits, as sha256sum prints them.')
}

module.exports = { downloadObject, openDownload, sha256Judge, readSha256 }
