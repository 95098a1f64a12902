'use strict'

/** The story of a download: open, head, plan, read, judge. And `--expect-sha256`, which reads a source by it. */

const { anySignal } = require('../async')
const { chooseEngine, findEngines } = require('../engines')
const { headObject, openOne, readEngine } = require('../job')
const { memoryOf, readerOf, silenceOf } = require('../options')
const { watchProgress } = require('../progress')
const { askLimits, shareRate, withRenewal } = require('../schedule')
const { readSha256 } = require('./hold')
const { countRanges, parseRange, sizeRanges, chosenOf, readBytes } = require('./read')
const { createHash } = require('node:crypto')
const { XferError, factsOfCause, usage } = require('../errors')
const { CRCS, hasCrc, isCrc, judgeSource, keptBy, keptMd5, sameCrcs, sumsOfParts, sumText } = require('../integrity')
const { notice } = require('../notices')
const { askPartSize, isComparable, rangesOf, readRanges } = require('../verify')

/** @typedef {import('../types').Download} Download */
/** @typedef {Awaited<ReturnType<typeof openDownload>>} OpenedDownload */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Sums} Sums */
/** @typedef {import('../types').Proof} Proof */
/** @typedef {import('./read').ProofPlan} ProofPlan */
/** @typedef {import('./read').ReadPart} ReadPart */

/**
 * @param {OpenedDownload} opened
 * @param {(piece: Buffer) => Promise<void>} give hands out the bytes, in order; resolves when more are wanted
 * @returns {Promise<Download>}
 * @throws {import('../types').XferError} NO_SUCH_KEY, OBJECT_CHANGED, READ_CORRUPTED, MD5_DIFFERS, the failure of a range
 */
async function downloadObject(opened, give) {
  const { settings, source, run, engine, allowed } = opened
  const signal = /** @type {AbortSignal} */ (run.cancel)
  const startedMs = Date.now()
  const object = await headObject(source, signal, { below: 'list' })
  const chosen = chosenOf(settings.range, object.bytes)
  // A checksum of the whole object says nothing of a range.
  const judged = settings.proved && chosen.bytes === object.bytes
  const plan = judged ? planProof(object, await layoutOf(source, object, signal)) : NOTHING
  const { partBytes } = plan
  const { memoryBytes, chunkBytes, chosenConcurrency } = settings
  const { rangeBytes, ahead } = sizeRanges({ memoryBytes, chunkBytes, concurrency: chosenConcurrency, partBytes })
  const cut = { ...chosen, rangeBytes, ahead, partBytes }
  const ranges = countRanges(cut)
  // What a range may cost is known only once the object is.
  const limits = { concurrency: Math.min(settings.concurrency, allowed.concurrent), limits: allowed }
  const capacity = shareRate(opened, { ...limits, partBytes: Math.min(rangeBytes, chosen.bytes) })
  const concurrency = Math.min(capacity.concurrency, ahead, ranges)
  run.emit({ type: 'plan', ...planOf(opened), bytes: chosen.bytes, ranges, rangeBytes, ahead, concurrency })
  engine.warm?.(concurrency)
  const watch = watchProgress(opened, { bytes: chosen.bytes, parts: /** @type {any} */ ({ length: ranges }) })
  /** @type {Awaited<ReturnType<typeof judge>> | undefined} */
  let found
  let bytes = 0
  try {
    const read = readBytes({
      opened,
      object,
      cut,
      plan,
      watch,
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
    elapsedMs,
    bytesPerSecond,
    invocations,
    retried,
    throttled,
  }
}

/** @param {OpenedDownload} opened */
function planOf({ source, engine, why, settings }) {
  const { bytesPerSecond: bandwidth } = settings
  return {
    source: source.text,
    engine: engine.name,
    where: engine.where,
    runsOn: engine.runsOn,
    why,
    ...(engine.startWith !== undefined && { adapts: /** @type {const} */ (true) }),
    ...(bandwidth !== undefined && { bandwidth }),
    notices: [],
  }
}

/**
 * What the bytes of a download are compared with: a checksum of the whole object, else the checksum of its parts' CRC-32s, else
 * an MD5. Decided before anything is read, because it decides what is computed; judged before the last range is handed out.
 */

/** @type {ProofPlan} */
const NOTHING = { sums: [], md5: false }

/**
 * @param {ObjectHead} object
 * @param {{ bytes: number, parts: number }} [layout] the size of the source's parts, if its store tells it
 * @returns {ProofPlan} a CRC is always computed: a second reading is compared by it
 */
function planProof(object, layout) {
  if (hasCrc(object.sums)) return { sums: CRCS.filter(sum => object.sums?.[sum] !== undefined).slice(0, 1), md5: false }
  const plan = { sums: CRCS.slice(0, 1), md5: false }
  if (object.composite?.crc32 !== undefined && layout) return { ...plan, partBytes: layout.bytes }
  const md5 = keptMd5(object)
  if (!md5) return plan
  if (md5.parts === undefined) return { ...plan, md5: true }
  return md5.parts === layout?.parts ? { ...plan, md5: true, partBytes: layout.bytes } : plan
}

/**
 * The sizes of the source's parts, if they matter.
 *
 * @param {import('../job/contract').Side} source
 * @param {ObjectHead} object
 * @param {AbortSignal} signal
 * @returns {Promise<{ bytes: number, parts: number } | undefined>} undefined: also if its store does not tell it
 */
async function layoutOf(source, object, signal) {
  const ofParts = object.composite?.crc32 !== undefined || keptMd5(object)?.parts !== undefined
  if (hasCrc(object.sums) || !ofParts) return undefined
  const layout = await askPartSize(source, signal)
  return layout && layout.bytes > 0 && Math.ceil(object.bytes / layout.bytes) === layout.parts ? layout : undefined
}

/** Ends the last sentence of an error about bytes of which some were handed out. */
const DISCARD = 'Discard what was written, and repeat the command; if it happens again, the source itself is damaged.'

/**
 * Judges a download as a whole, before its last range is handed out.
 *
 * @param {OpenedDownload} opened
 * @param {import('../types').ObjectHead} object
 * @param {ReadPart[]} parts all that was read, joined to the parts that the proof needs
 * @param {{ rangeBytes: number, capacity: import('./read').ReadCapacity, watch: ReturnType<typeof import('../progress').watchProgress> }} how
 * @returns {Promise<{ sums: Sums, proof: Proof[], uncompared?: true }>} sums: of all bytes
 * @throws {XferError} READ_CORRUPTED or MD5_DIFFERS; what ends a second reading
 */
async function judge(opened, object, parts, { rangeBytes, capacity, watch }) {
  const { settings, source, run, engine } = opened
  const evidence = judgeSource(object, parts, false)
  const proof = evidence?.proofs ?? []
  const differs = evidence?.verdict === 'different' ? evidence.by : undefined
  const doubted = differs !== undefined && (await isComparable({ by: differs }, source, parts, run.cancel))
  if (doubted && differs !== 'etag') {
    const found = isCrc(differs) ? sumText(differs, sumsOfParts(parts)[differs]) : 'another one'
    throw damaged(`the source keeps the ${keptBy(differs, object).words}, and what was read has ${found}`)
  }
  if (doubted && object.sums?.md5 !== undefined) {
    const [expected, found] = [object.sums.md5, parts[0].sums.md5]
    throw new XferError('MD5_DIFFERS', { reason: `${found} instead of ${expected}`, expected, found })
  }
  if (doubted || settings.verify === 'full') {
    await readAgain()
    proof.push('source-read')
  }
  // An ETag in the form of an MD5 may be none.
  if (doubted) run.emit(notice('SOURCE_ETAG_DIFFERS'))
  return { sums: sumsOfParts(parts), proof, ...(proof.length === 0 && { uncompared: /** @type {const} */ (true) }) }

  /** Reads everything again, in other ranges: a proxy that damages the n-th byte of each answer then damages others. */
  async function readAgain() {
    run.emit(notice('READING_SOURCE', { again: true }))
    const ranges = rangesOf(object.bytes, Math.ceil(rangeBytes / 2) || 1)
    const first = sumsOfParts(parts)
    const job = { engine, settings, run }
    const sums = CRCS.filter(sum => first[sum] !== undefined)
    const how = { objects: [{ ...source, object }], ranges, sums, emit: watch.reading(ranges) }
    const [again] = await readRanges({ job, ...capacity }, how)
    if (!sameCrcs(first, sumsOfParts(again))) throw damaged('two readings of it differ')
  }
}

/** @param {string} reason */
function damaged(reason) {
  return new XferError('READ_CORRUPTED', { reason, advice: DISCARD })
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
  const signal = options.signal ? anySignal([options.signal, gone]) : gone
  const one = await openOne(location, 'source', { ...options, signal }, emit, { reads: true })
  const { end: source, run } = one
  try {
    const { engine: plain, why } = chooseEngine(engines, { ...settings, name, stores: [source.store, MEMORY] })
    const engine = withRenewal(run.usage.counting(plain), { source: source.store, destination: source.store })
    const allowed = await askLimits({ engine, settings, run })
    return {
      settings,
      source,
      run,
      engine,
      why,
      allowed,
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
    memoryBytes: memoryOf(read('memory')),
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
  const { env, signal, caBundle, retries, outageTimeout, bandwidth, memory, source } = options
  const wish = { env, signal, caBundle, retries, outageTimeout, bandwidth, memory, source, engine: 'local' }
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

module.exports = { downloadObject, openDownload, planProof, sha256Judge }
