'use strict'

/** The story of a download: open, head, plan, read, judge. */

const { chooseEngine, findEngines } = require('../engines')
const { headObject, openOne, readEngine } = require('../job')
const { readerOf, silenceOf } = require('../options')
const { watchProgress } = require('../progress')
const { askLimits, shareRate, withRenewal } = require('../transfer')
const { NOTHING, judge, layoutOf, planProof } = require('./proof')
const { countRanges, parseRange, sizeRanges, chosenOf } = require('./ranges')
const { readBytes } = require('./read')

/** @typedef {import('../types').Download} Download */
/** @typedef {Awaited<ReturnType<typeof openDownload>>} Opened */

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
    const engine = withRenewal(plain, { source: source.store, destination: source.store })
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

module.exports = { downloadObject, openDownload }
