'use strict'

/**
 * Compares the contents of two objects by the cheapest sufficient proof: checksums or MD5 ETags that both stores have, else
 * by reading the objects that have none. The bytes never come to this machine unless the local engine reads them.
 */

const { askLimits, shareRate } = require('../schedule')
const { contextOf, endpointsOf, headObject, openJob, runJob } = require('../job')
const { watchProgress } = require('../progress')
const { checkArguments } = require('../options')
const {
  checkSizes,
  compareByReading,
  factsOf,
  proveByMd5,
  proveByStored,
  rangesToRead,
  sideOf,
  unlessPart,
} = require('../verify')

/** @typedef {import('../types').VerifyOptions} VerifyOptions */
/** @typedef {import('../types').ComparisonEvent} ComparisonEvent */
/** @typedef {import('../types').Verification} Verification */
/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../verify/compare').ComparedSide} ComparedSide */

/**
 * @param {string} source `s3://bucket/key`
 * @param {string} destination as for `copy`
 * @param {VerifyOptions} [options]
 * @returns {Promise<Verification>} the method that showed that they are equal
 * @throws {import('../types').XferError} OBJECTS_DIFFER, with `start` and `end` of the first range that differs if the objects were read;
 *   OBJECTS_DIFFER if an object does not match its own stored checksum; OBJECT_CHANGED; NO_SUCH_KEY
 */
async function verify(source, destination, options = {}) {
  return await runJob(options, async (given, { begin, emit }) => {
    checkArguments('verify', { source, destination }, given)
    const { read = false, onEvent, ...rest } = given
    const job = await openJob(source, destination, rest, unlessPart(emit))
    begin(job)
    return await compare(job, read, /** @type {(event: ComparisonEvent) => void} */ (emit))
  })
}

/** What nothing was read for. */
const NOTHING_READ = { readBytes: 0, invocations: 0, retried: 0, throttled: 0, hedgedBytes: 0 }

/**
 * @param {Job} job
 * @param {boolean} read both objects, even if the stored checksums prove them equal
 * @param {(event: ComparisonEvent) => void} emit
 * @returns {Promise<Verification>}
 */
async function compare(job, read, emit) {
  const startedMs = Date.now()
  const sides = await headBoth(job)
  checkSizes(sides)
  const { source, destination, bytes } = factsOf(sides)
  const { name: engine, where, runsOn } = job.engine
  const places = { source, destination, bytes, ...endpointsOf(job) }
  const plan = { type: /** @type {const} */ ('plan'), ...places, engine, where, runsOn, why: job.why }
  const proof = read ? undefined : ((await proveByStored(sides, job.run.cancel)) ?? proveByMd5(sides, job.run.emit))
  if (proof) emit({ ...plan, method: proof.method, reads: [], ranges: 0, rangeBytes: 0, concurrency: 0 })
  const found = proof
    ? { method: proof.method, value: proof.value, ...NOTHING_READ }
    : await readBoth(job, sides, read, shape => emit({ ...plan, method: 'read', ...shape }))
  const elapsedMs = Date.now() - startedMs
  const bytesPerSecond = Math.round((found.readBytes / Math.max(elapsedMs, 1)) * 1000)
  return { source, destination, bytes, engine, ...found, elapsedMs, bytesPerSecond }
}

/**
 * @param {Job} job
 * @param {ComparedSide[]} sides
 * @param {boolean} both read both objects, whatever checksums their stores have
 * @param {(shape: { reads: string[], ranges: number, rangeBytes: number, concurrency: number, adapts?: true, bandwidth?: number }) => void} plan
 *   is told what will be read
 */
async function readBoth(job, sides, both, plan) {
  const { bytes } = factsOf(sides)
  const split = rangesToRead(sides, job.settings.chunkBytes, { both })
  const { ranges, toRead } = split
  const allowed = await askLimits(job)
  const { concurrency, limits } = shareRate(job, {
    concurrency: Math.min(job.settings.concurrency, allowed.concurrent, ranges.length * toRead.length),
    limits: allowed,
    partBytes: ranges[0].bytes,
  })
  const reads = toRead.map(({ text }) => text)
  const adapts = job.engine.startWith !== undefined && /** @type {const} */ ({ adapts: true })
  const { bytesPerSecond } = job.settings
  const paced = bytesPerSecond !== undefined && { bandwidth: bytesPerSecond }
  plan({ reads, ranges: ranges.length, rangeBytes: ranges[0].bytes, concurrency, ...adapts, ...paced })
  const readBytes = bytes * toRead.length
  const watch = watchProgress(job, { bytes: readBytes, parts: toRead.flatMap(() => ranges) }, { phase: 'verifying' })
  try {
    const work = { job: contextOf(job, { engine: watch.engine, run: job.run }), limits, concurrency }
    const found = await compareByReading(work, { sides, split, emit: job.run.emit })
    const { invocations, retried, throttled, hedgedBytes } = watch.counts()
    const counts = { readBytes, invocations, retried, throttled, hedgedBytes }
    return { method: /** @type {const} */ ('read'), ...found, ...counts }
  } finally {
    watch.stop()
  }
}

/** @param {Job} job @returns {Promise<ComparedSide[]>} */
async function headBoth({ source, destination, run: { cancel: signal } }) {
  const heads = [source, destination].map(side => headObject(side, signal))
  // Waits for both, then throws the first failure.
  await Promise.allSettled(heads)
  const objects = await Promise.all(heads)
  return [source, destination].map((side, i) => sideOf(side, objects[i]))
}

/**
 * `xfer verify -r`: compares what is below two prefixes (lib/many/verify.js).
 *
 * @param {string} source `s3://bucket/prefix`; a slash is added where there is none
 * @param {string} destination as `source`
 * @param {import('../types').VerifyPrefixOptions} [options]
 * @returns {Promise<import('../types').PrefixVerification>} what proved the pairs equal; every difference is an event
 * @throws {import('../types').XferError} OBJECTS_DIFFER, OBJECTS_FAILED; any error that ends a job
 */
async function verifyPrefix(source, destination, options = {}) {
  // Loaded lazily, because most comparisons are of two objects.
  const { checkFiles, compareObjects, readSelection } = require('../many')
  return await runJob(options, async (given, { begin, emit }) => {
    checkArguments('verifyPrefix', { source, destination }, given)
    await checkFiles(readSelection({ ...given, recursive: 'sync' }))
    const { read, oneWay, onEvent, ...rest } = given
    const job = await openJob(source, destination, rest, emit, { prefixes: true, reads: true })
    begin(job)
    return await compareObjects(job, given)
  })
}

module.exports = { verify, verifyPrefix }
