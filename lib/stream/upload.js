'use strict'

/**
 * The story of an upload: its first part is cut, which shows whether the stream is one part; then it is written like any other
 * object, in one request or in parts, of which each is sent as soon as it has come.
 */

const { createCancellation } = require('../async')
const { checkDestination } = require('../destination')
const { openUpload } = require('../job')
const { notice } = require('../notices')
const { copyBy, engineWay, readSourceAttributes } = require('../copy')
const { checkKey } = require('../stores')
const { createCutter, scheduleComing, createPartSizes, FIRST_BYTES } = require('./cut')
const { BARE, createExpectation, createSource, createHold, readSha256 } = require('./hold')
const { XferError, usage } = require('../errors')
const { memoryOf, readerOf } = require('../options')

/** @typedef {import('../job/contract').Job} Job */
/** @typedef {import('../copy/copy').CopyWay} CopyWay */
/** @typedef {import('../types').Plan} Plan */
/** @typedef {ReturnType<typeof createCutter>} Cutter */

/**
 * @param {import('./cut').StreamInput} input
 * @param {string} destination
 * @param {import('../types').UploadOptions} options
 * @param {{ begin: (job: Job) => void, emit: (event: import('../types').JobEvent) => void, from?: From }} how begin, emit: as of
 *   `perform`; from: what the stream is, if it is an object; default: standard input
 * @returns {Promise<import('../types').Summary>}
 * @throws {import('../types').XferError}
 */
async function uploadStream(input, destination, options, { begin, emit, from = STANDARD_INPUT }) {
  const startedMs = Date.now()
  const settings = readStreamSettings(options)
  /** @type {Cutter | undefined} */
  let cutter
  const hold = createHold(settings.memoryBytes)
  /** Of the first part. @type {import('./hold').HeldRange | undefined} */
  let range
  try {
    // Many at once wait here, before they open or ask anything.
    range = await takeInTurn(hold, options)
    const source = createSource(from.text, hold, () => /** @type {Cutter} */ (cutter))
    const given = { ...options, waitedMs: Date.now() - startedMs }
    const { job, ...session } = await openUpload(destination, given, emit, source)
    begin(job)
    const { limits } = job.destination.store
    const sizeBytes = settings.sizeBytes ?? from.told?.bytes
    const { memoryBytes, chunkBytes } = settings
    const sizes = createPartSizes({ limits, memoryBytes, chunkBytes, sizeBytes })
    const { cancel: signal } = job.run
    const firstBytes = sizes.bytesOf(1, 0)
    if (firstBytes > range.bytes) {
      hold.give(range)
      // Who ends while it waits has none.
      range = undefined
      range = await hold.take(firstBytes, signal)
    }
    const there = await checkDestination(job)
    checkKey(job.destination)
    const carried = await readSourceAttributes(job, from.description, job.settings.attributes, signal)
    cutter = createCutter(input, {
      sizes,
      signal,
      hold,
      range,
      expectation: createExpectation({ sha256: settings.sha256, told: from.told }),
    })
    if (!job.settings.dryRun) await cutter.next()
    if (limits.maxParts === 1 && !cutter.over()) throw new XferError('TOO_LARGE', { most: sizes.first, maxParts: 1 })
    // A thread takes as long to start as a small object to be sent, which needs none.
    if (!cutter.over()) job.engine.warm?.(1)
    const chooseChunk = async () => ({ bytes: sizes.first, matched: false, notices: [] })
    // Once all of it has come, it is an object like any other.
    const coming = cutter.over() ? { scheduleWhole: session.schedule } : comingWay(job, cutter, { sizes, sizeBytes })
    const way = { ...engineWay(job), limits: session.limits, chooseChunk, ...coming }
    const object = objectOf(cutter, from)
    return await copyBy(way, job, { object, there, carried, startedMs })
  } finally {
    if ('destroy' in input) input.destroy()
    if (cutter) cutter.close()
    else if (range) hold.give(range)
    await hold.close()
  }
}

/**
 * Waits for memory for the first part, no longer than the options allow.
 *
 * @param {import('./hold').Hold} hold
 * @param {Pick<import('../types').UploadOptions, 'signal' | 'timeout'>} options
 */
async function takeInTurn(hold, { signal, timeout }) {
  if (timeout === undefined) return await hold.take(FIRST_BYTES, signal)
  const { cancel, close } = createCancellation({ signal, timeoutMs: readerOf('copy', { timeout })('timeout') })
  return await hold.take(FIRST_BYTES, cancel).finally(close)
}

/** The largest object that most stores take: a limit beyond it needs no word. */
const ENOUGH = 5 * 1024 ** 4

/**
 * @typedef {object} From
 * @property {string} text for people
 * @property {import('../types').ObjectDescription & { lastModifiedMs?: number }} description
 * @property {import('../types').Notice[]} notices of the plan
 * @property {{ bytes?: number, sums?: import('../types').Sums }} [told] what its server tells, with which it is compared
 */

/** @type {From} */
const STANDARD_INPUT = { text: 'standard input', description: BARE, notices: [] }

/** What has come so far, as an object. @param {Cutter} cutter @param {From} from @returns {import('../types').ObjectHead} */
function objectOf(cutter, { description, notices }) {
  return {
    ...description,
    etag: '',
    notices: { all: notices, ofParts: [] },
    get bytes() {
      return cutter.bytes()
    },
  }
}

/**
 * @param {Job} job
 * @param {Cutter} cutter
 * @param {{ sizes: import('./cut').PartSizes, sizeBytes?: number }} how sizeBytes: how much probably comes
 * @returns {Pick<CopyWay, 'plan' | 'schedule'>}
 */
function comingWay(job, cutter, { sizes, sizeBytes }) {
  const { first, maxParts, most } = sizes
  const equal = job.destination.store.limits.equalParts
  const notices = sizeBytes === undefined && most < ENOUGH ? [notice('STREAM_LIMIT', { most, maxParts, equal })] : []
  /** @type {Plan} */
  const plan = {
    route: 'multipart',
    partBytes: first,
    parts: cutter.parts,
    notices,
    get bytes() {
      return cutter.bytes()
    },
    growing: {
      sizeBytes,
      get over() {
        return cutter.over()
      },
    },
  }
  return { plan, schedule: scheduleComing(cutter, { partBytes: first }) }
}

/**
 * The options of an upload that only streams have.
 *
 * @param {import('../types').UploadOptions & Pick<import('../types').CopyOptions, 'route' | 'onFailure'>} options the
 *   command line may give the last two
 * @throws {XferError} USAGE
 */
function readStreamSettings(options) {
  const read = readerOf('copy', options)
  const chunk = options.chunk === undefined ? undefined : read('chunk')
  if (chunk === 'match') {
    const text = '--chunk match is about the parts of the source, and a stream has none.'
    throw usage(text, 'Leave it out, or give a size.')
  }
  // Given, these two are not the defaults that a stream leaves aside.
  const unfit =
    options.route === 'server' ? '--route server' : options.onFailure === 'keep' ? '--on-failure keep' : undefined
  if (unfit) {
    throw usage(`${unfit} does not apply to a stream, which only this process has, and only once.`, 'Leave it out.')
  }
  const sha256 = options.expectSha256
  if (sha256 !== undefined) readSha256(sha256)
  return {
    /** Of the first part; undefined: as usual. */
    chunkBytes: chunk === 'auto' ? undefined : chunk,
    /** How much probably comes. */
    sizeBytes: read('size'),
    memoryBytes: memoryOf(read('memory')),
    sha256,
  }
}

module.exports = { uploadStream }
