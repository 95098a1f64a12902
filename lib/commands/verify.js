'use strict'

/**
 * Compares the contents of two objects by the cheapest sufficient proof: checksums or MD5 ETags that both stores have, else
 * by reading the objects that have none. The bytes never come to this machine unless the local engine reads them.
 */

const { withHandler } = require('../async')
const { XferError, asXferError } = require('../errors')
const { askLimits, shareRate } = require('../transfer')
const { checksCrc32, compareStored, crc32OfParts, crc32ToBase64, fullCrc32, trustedHead } = require('../integrity')
const { contextOf, endpointsOf, headObject, openJob } = require('../job')
const { publicNotice } = require('../notices')
const { watchProgress } = require('../progress')
const { checkArguments, eventInCallersWords, inCallersWords } = require('../options')
const { bytesIn, differing, rangesOf, readRanges } = require('../verify')

/** @typedef {import('../types').VerifyOptions} VerifyOptions */
/** @typedef {import('../types').ComparisonEvent} ComparisonEvent */
/** @typedef {import('../types').Verification} Verification */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Part} Part */
/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../verify/read').Reading} Reading */
/** @typedef {Reading & { text: string, object: ObjectHead, reported: ObjectHead }} Side reported: as its store reports it; object: what of that can be trusted */

/** A range that differs is read this many times again: either reading may be wrong. */
const MOST_AGAIN = 2

/**
 * @param {string} source `s3://bucket/key`
 * @param {string} destination as for `copy`
 * @param {VerifyOptions} [options]
 * @returns {Promise<Verification>} the method that showed that they are equal
 * @throws {XferError} OBJECTS_DIFFER, with `start` and `end` of the first range that differs if the objects were read;
 *   DAMAGED if an object does not match its own stored checksum; OBJECT_CHANGED; NO_SUCH_KEY
 */
async function verify(source, destination, options = {}) {
  return await withHandler('onEvent', options, given => run(source, destination, given))
}

/** @type {typeof verify} */
async function run(source, destination, options = {}) {
  const emit = (/** @type {ComparisonEvent} */ event) =>
    typeof options?.onEvent === 'function' &&
    options.onEvent({ ...eventInCallersWords(options, event), time: new Date().toISOString() })
  /** @type {Job | undefined} */
  let job
  try {
    checkArguments('verify', { source, destination }, options)
    const { read, onEvent, ...rest } = options
    job = await openJob(source, destination, rest, unlessPart(/** @type {any} */ (withoutFacts(emit))))
    const verification = await compare(job, read ?? false, emit)
    emit({ type: 'done', ...verification })
    return verification
  } catch (cause) {
    const error = asXferError(inCallersWords(options, cause, { what: 'comparison' }))
    const { code, message, hint, exitCode } = error
    emit({ type: 'error', code, message, hint, exitCode })
    throw error
  } finally {
    await job?.close()
  }
}

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
  const proof = read ? undefined : await proveByStored(job, sides)
  const found = proof ? tell(job, sides, proof, emit) : await readBoth(job, sides, read, emit)
  const elapsedMs = Date.now() - startedMs
  const bytesPerSecond = Math.round((found.readBytes / Math.max(elapsedMs, 1)) * 1000)
  const { source, destination, bytes } = factsOf(sides)
  return { source, destination, bytes, engine: job.engine.name, ...found, elapsedMs, bytesPerSecond }
}

/** @typedef {Omit<Verification, 'source' | 'destination' | 'bytes' | 'engine' | 'elapsedMs' | 'bytesPerSecond'>} Result */

/**
 * The result if stored checksums prove the objects equal: nothing is read.
 *
 * @param {Job} job
 * @param {Side[]} sides
 * @param {import('../integrity/objects').Stored} stored
 * @param {(event: ComparisonEvent) => void} emit
 * @returns {Result}
 */
function tell(job, sides, { method, value }, emit) {
  emit({ type: 'plan', ...planOf(job, sides), method, reads: [], ranges: 0, rangeBytes: 0, concurrency: 0 })
  return { method, value, readBytes: 0, invocations: 0, retried: 0, throttled: 0, hedgedBytes: 0 }
}

/**
 * @param {Job} job
 * @param {Side[]} sides
 * @param {boolean} both read both objects, whatever checksums their stores have
 * @param {(event: ComparisonEvent) => void} emit
 * @returns {Promise<Result>}
 */
async function readBoth(job, sides, both, emit) {
  const { bytes } = factsOf(sides)
  const ranges = rangesOf(bytes, job.settings.chunkBytes)
  const toRead = both ? sides : sides.filter(({ object }) => fullCrc32(object.checksum) === undefined)
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
  const shape = { reads, ranges: ranges.length, rangeBytes: ranges[0].bytes, concurrency, ...adapts, ...paced }
  emit({ type: 'plan', ...planOf(job, sides), method: 'read', ...shape })
  const readBytes = bytes * toRead.length
  const watch = watchProgress(job, { bytes: readBytes, parts: toRead.flatMap(() => ranges) }, { phase: 'verifying' })
  try {
    const crc32 = await compareByReading({ job: contextOf(job, watch), sides, toRead, ranges, limits, concurrency })
    const { invocations, retried, throttled, hedgedBytes } = watch.counts()
    const counts = { readBytes, invocations, retried, throttled, hedgedBytes }
    return { method: 'read', value: crc32ToBase64(crc32), ...counts }
  } finally {
    watch.stop()
  }
}

/** @param {Side[]} sides of equal size */
function factsOf([one, other]) {
  return { source: one.text, destination: other.text, bytes: one.object.bytes }
}

/** @param {Job} job @param {Side[]} sides */
function planOf(job, sides) {
  const { engine, why } = job
  return {
    ...factsOf(sides),
    ...endpointsOf(job),
    engine: engine.name,
    where: engine.where,
    runsOn: engine.runsOn,
    why,
  }
}

/** @param {Side[]} sides @throws {XferError} OBJECTS_DIFFER */
function checkSizes(sides) {
  const [bytes, others] = sides.map(({ object }) => object.bytes)
  if (bytes === others) return
  const { source, destination } = factsOf(sides)
  throw new XferError('OBJECTS_DIFFER', {
    source,
    destination,
    reason: `one has ${bytes.toLocaleString('en-US')} bytes and the other ${others.toLocaleString('en-US')}`,
  })
}

/** Emits notices as users see them. @param {(event: any) => void} emit */
function withoutFacts(emit) {
  return (/** @type {any} */ event) => emit(event.type === 'notice' ? publicNotice(event) : event)
}

/** Emits all events but `part`: progress events show the ranges. @param {(event: any) => void} emit */
function unlessPart(emit) {
  return (/** @type {{ type: string }} */ event) => {
    if (event.type !== 'part') emit(event)
  }
}

/** @param {Job} job @returns {Promise<Side[]>} */
async function headBoth({ source, destination, run: { cancel: signal } }) {
  const heads = [source, destination].map(side => headObject(side, signal))
  // Waits for both, then throws the first failure.
  await Promise.allSettled(heads)
  const objects = await Promise.all(heads)
  return [source, destination].map(({ store, key, versionId, text }, i) => ({
    ...{ store, key, versionId, text },
    // A checksum that the store is not known to check may be an echo of what was sent, and proves nothing.
    object: trustedHead(objects[i], checksCrc32(store)),
    reported: objects[i],
  }))
}

/**
 * @param {Job} job
 * @param {Side[]} sides
 * @throws {XferError} OBJECTS_DIFFER if both stores have a CRC-32 of the full object, and they differ
 */
async function proveByStored({ run: { cancel: signal } }, [one, other]) {
  const kept = [one, other].map(({ object }) => fullCrc32(object.checksum))
  if (kept[0] !== undefined && kept[1] !== undefined && kept[0] !== kept[1]) {
    const [a, b] = [one, other].map(({ object }) => object.checksum?.crc32)
    const reason = `one keeps the CRC-32 ${a} and the other ${b}`
    throw new XferError('OBJECTS_DIFFER', { source: one.text, destination: other.text, reason })
  }
  const stored = compareStored(one.object, other.object)
  if (!stored?.layout) return stored
  const ask = (/** @type {Side} */ { store, key, versionId }) =>
    store.partSize?.(key, { signal, versionId }).catch(error => {
      if (signal?.aborted) throw error
    })
  const [mine, theirs] = await Promise.all([ask(one), ask(other)])
  return mine && mine.bytes === theirs?.bytes && mine.parts === theirs.parts ? stored : undefined
}

/**
 * @param {object} work
 * @param {import('../job/open').Context} work.job
 * @param {Side[]} work.sides
 * @param {Side[]} work.toRead those of them whose CRC-32 is not known
 * @param {Part[]} work.ranges
 * @param {import('../types').EngineLimits} work.limits
 * @param {number} work.concurrency
 * @returns {Promise<number>} the CRC-32 of both
 * @throws {XferError} OBJECTS_DIFFER
 */
async function compareByReading({ job, sides, toRead, ranges, limits, concurrency }) {
  const { engine, settings } = job
  const { pressure, cancel, emit } = job.run
  const { retries, partsPerInvocation } = settings
  /** @param {Side[]} objects @param {Part[]} some @param {import('../job/open').Run['emit']} tell */
  const read = async (objects, some, tell) => {
    const how = { engine, limits, concurrency, partsPerInvocation, pressure, retries, abort: cancel, emit: tell }
    return await readRanges({ objects, ranges: some, ...how })
  }
  const found = await read(toRead, ranges, emit)
  if (toRead.length === 1) {
    const crc32 = crc32OfParts(found[0])
    const [known] = sides.map(({ object }) => fullCrc32(object.checksum)).filter(sum => sum !== undefined)
    if (known === crc32) return crc32
  }
  // If one reading differs from the other's stored CRC-32, both are read: to find the range, and because a reading may be wrong.
  const [one, other] = toRead.length === 2 ? found : await read(sides, ranges, unlessPart(emit))
  await compareRanges(sides, ranges, [one, other], again => read(sides, again, unlessPart(emit)))
  const crc32 = crc32OfParts(one)
  for (const { text, reported } of sides) checkOwn(text, reported, crc32)
  return crc32
}

/**
 * @param {Side[]} sides
 * @param {Part[]} ranges
 * @param {TaskSuccess[][]} found the results of both sides; corrected in place if a second reading differs
 * @param {(ranges: Part[]) => Promise<TaskSuccess[][]>} readAgain
 * @throws {XferError} OBJECTS_DIFFER
 */
async function compareRanges([{ text: source }, { text: destination }], ranges, found, readAgain) {
  const sums = () => found.map(side => side.map(({ crc32 }) => crc32))
  const [first, second] = sums()
  for (const range of differing(ranges, first, second)) {
    const at = ranges.indexOf(range)
    for (let attempt = 0; found[0][at].crc32 !== found[1][at].crc32; attempt++) {
      if (attempt === MOST_AGAIN) {
        const { start, bytes } = range
        const reason = `the first difference is in ${bytesIn(range)}`
        throw new XferError('OBJECTS_DIFFER', { source, destination, reason, start, end: start + bytes - 1 })
      }
      for (const [side, [again]] of (await readAgain([range])).entries()) found[side][at] = again
    }
  }
}

/** Both readings are equal: compares them with the object's own stored checksum. @param {string} text @param {ObjectHead} object @param {number} crc32 */
function checkOwn(text, { checksum }, crc32) {
  const kept = fullCrc32(checksum)
  if (kept === undefined || kept === crc32) return
  throw new XferError('DAMAGED', { location: text, expected: checksum?.crc32, found: crc32ToBase64(crc32) })
}

module.exports = { verify }
