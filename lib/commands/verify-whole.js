'use strict'

/** The comparison of an object whose server sends no ranges with any other. It is read once, in its order, by this machine. */

const { XferError } = require('../errors')
const { compareSums, CRCS, hasCrc, namesOf, sumText, SUM_WORDS } = require('../integrity')
const { contextOf, headObject } = require('../job')
const { watchProgress } = require('../progress')
const { openWhole, planOfWhole } = require('../stream')
const { askLimits, shareRate } = require('../transfer')
const {
  checkSizes,
  compareByReading,
  noticesOfMd5s,
  proveByMd5,
  proveByStored,
  rangesToRead,
  sideOf,
} = require('../verify')

/** @typedef {import('../verify/sides').Side} Side */
/** @typedef {import('../job/open').Job} Job */

/**
 * @param {Job} job
 * @param {object} how
 * @param {string} how.reason why the source has no ranges, to follow `its server`
 * @param {boolean} how.both read both objects, whatever checksums their stores have
 * @param {(sides: Side[], reads: string[]) => void} how.announce is called before anything is read
 * @returns {Promise<Pick<import('../types').Verification, 'method' | 'sum' | 'value' | 'readBytes' | 'invocations' | 'retried' | 'throttled' | 'hedgedBytes'> & { bytes: number }>}
 * @throws {XferError} OBJECTS_DIFFER, DAMAGED, BROKE_OFF; the stores' errors
 */
async function compareWhole(job, { reason, both, announce }) {
  const { source, destination, run, engine } = job
  const { cancel: signal } = run
  const other = sideOf(destination, await headObject(destination, signal))
  const whole = await openWhole(source, { reason, signal: /** @type {AbortSignal} */ (signal), emit: run.emit })
  const { told } = whole
  const expected = told.bytes ?? other.object.bytes
  try {
    checkSizes([sideOfWhole(source, { bytes: expected, sums: {} }), other])
  } catch (error) {
    whole.close()
    throw error
  }
  const kept = !both && (hasCrc(other.object.sums) || other.md5 !== undefined)
  announce(
    [sideOfWhole(source, { bytes: expected, sums: {} }), other],
    kept ? [source.text] : [source.text, other.text],
  )
  const watch = watchProgress({ engine, run }, planOfWhole(told.bytes), { phase: 'verifying' })
  try {
    const sums = [...new Set([...sumsFor(other), ...namesOf(told.sums ?? {})])]
    const found = await readAll(whole, { sums, emit: watch.run.emit })
    checkTold(source.text, told, found)
    const sides = [sideOfWhole(source, found), other]
    checkSizes(sides)
    const proof = both ? undefined : ((await proveByStored(sides, signal)) ?? proveByMd5(sides))
    if (proof?.method === 'stored-md5') noticesOfMd5s(sides).forEach(run.emit)
    const read = proof ? { ...sumOf(found.sums, proof), readBytes: 0 } : await readOther(job, sides, watch)
    const { invocations, retried, throttled, hedgedBytes } = watch.counts()
    const counts = { invocations, retried, throttled, hedgedBytes }
    return { method: 'read', ...read, ...counts, bytes: found.bytes, readBytes: found.bytes + read.readBytes }
  } finally {
    watch.stop()
  }
}

/** The checksums that the other object can be compared by. @param {Side} other @returns {import('../types').Sum[]} */
function sumsFor({ object, md5 }) {
  const crcs = CRCS.filter(sum => object.sums?.[sum] !== undefined)
  return [...(crcs.length > 0 ? crcs : CRCS.slice(0, 1)), ...(md5 === undefined ? [] : [/** @type {const} */ ('md5')])]
}

/**
 * Compares what was read with the checksums that its server tells.
 *
 * @param {string} location
 * @param {import('../stream/whole').Told} told
 * @param {import('../stream/whole').Found} found
 * @throws {XferError} DAMAGED
 */
function checkTold(location, told, found) {
  if (told.sha256 !== found.sha256) {
    throw new XferError('DAMAGED', { location, sum: 'SHA-256', expected: told.sha256, found: found.sha256 })
  }
  const { differs } = compareSums(told.sums, found.sums, [...CRCS, 'md5'])
  if (!differs) return
  const [expected, is] = [told.sums, found.sums].map(sums => sumText(differs, sums?.[differs]))
  throw new XferError('DAMAGED', { location, sum: SUM_WORDS[differs], expected, found: is })
}

/** @param {Awaited<ReturnType<typeof openWhole>>} whole @param {import('../stream/whole').Wish} wish */
async function readAll(whole, wish) {
  /** @type {import('../stream/whole').Found} */
  let found = { bytes: 0, sums: {} }
  const pieces = whole.read(wish, result => {
    found = result
  })
  // The bytes are only counted.
  while (!(await pieces.next()).done);
  return found
}

/** What was read of it is known as well as what a store computes. @param {Job['source']} source @param {import('../stream/whole').Found} found @returns {Side} */
function sideOfWhole({ store, key, text }, { bytes, sums }) {
  const object = { bytes, etag: '', metadata: { headers: {}, user: {} }, sums }
  return {
    store,
    key,
    text,
    object,
    reported: object,
    ...(sums.md5 !== undefined && { md5: sums.md5 }),
    readOnce: true,
  }
}

/** @param {import('../types').Sums} sums @param {import('../integrity/objects').Stored} proof */
function sumOf(sums, { method }) {
  const sum = /** @type {import('../types').Sum} */ (method.replace('stored-', ''))
  return { sum, value: sumText(sum, sums[sum]) }
}

/** Reads the other object, and compares it with what was read. @param {Job} job @param {Side[]} sides @param {ReturnType<typeof watchProgress>} watch */
async function readOther(job, sides, watch) {
  const toRead = sides.slice(1)
  const { bytes } = sides[0].object
  const split = rangesToRead(sides, job.settings.chunkBytes, { both: true })
  const allowed = await askLimits(job)
  const { concurrency, limits } = shareRate(job, {
    concurrency: Math.min(job.settings.concurrency, allowed.concurrent, split.ranges.length),
    limits: allowed,
    partBytes: split.ranges[0].bytes,
  })
  const emit = watch.reading(split.ranges)
  const context = contextOf(job, { ...watch, run: Object.freeze({ ...watch.run, emit }) })
  const found = await compareByReading({ job: context, sides, toRead, split, limits, concurrency })
  return { ...found, readBytes: bytes }
}

module.exports = { compareWhole }
