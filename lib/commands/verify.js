'use strict'

/**
 * Compares the contents of two objects by the cheapest sufficient proof: checksums or MD5 ETags that both stores have, else
 * by reading the objects that have none. The bytes never come to this machine unless the local engine reads them.
 */

const { withHandler } = require('../async')
const { XferError, asXferError } = require('../errors')
const { askLimits, shareRate } = require('../transfer')
const {
  compareStored,
  compareSums,
  CRCS,
  hasCrc,
  sameCrcs,
  sumsOfParts,
  sumText,
  SUM_WORDS,
  trustedHead,
} = require('../integrity')
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
  const toRead = both ? sides : unkept(sides)
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
    const found = await compareByReading({ job: contextOf(job, watch), sides, toRead, ranges, limits, concurrency })
    const { invocations, retried, throttled, hedgedBytes } = watch.counts()
    const counts = { readBytes, invocations, retried, throttled, hedgedBytes }
    return { method: 'read', ...found, ...counts }
  } finally {
    watch.stop()
  }
}

/**
 * The objects to read. One is enough if the other's checksum is kept: it is compared with that.
 *
 * @param {Side[]} sides
 */
function unkept(sides) {
  const without = sides.filter(({ object }) => !hasCrc(object.sums))
  // Both keep one, and not the same.
  return without.length === 0 ? sides.slice(1) : without
}

/** The checksums to compute: those that either store keeps. @param {Side[]} sides */
function sumsFor(sides) {
  const kept = CRCS.filter(sum => sides.some(({ reported }) => reported.sums?.[sum] !== undefined))
  return kept.length > 0 ? kept : CRCS.slice(0, 1)
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
    object: trustedHead(objects[i], store.can),
    reported: objects[i],
  }))
}

/**
 * @param {Job} job
 * @param {Side[]} sides
 * @throws {XferError} OBJECTS_DIFFER if both stores have the same checksum of the full object, and they differ
 */
async function proveByStored({ run: { cancel: signal } }, [one, other]) {
  const { differs } = compareSums(one.object.sums, other.object.sums, [...CRCS, 'md5'])
  if (differs) {
    const [a, b] = [one, other].map(({ object }) => sumText(differs, object.sums?.[differs]))
    const reason = `one keeps the ${SUM_WORDS[differs]} ${a} and the other ${b}`
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
 * @param {Side[]} work.toRead those of them that are read
 * @param {Part[]} work.ranges
 * @param {import('../types').EngineLimits} work.limits
 * @param {number} work.concurrency
 * @returns {Promise<Pick<Verification, 'sum' | 'value'>>} the checksum of both
 * @throws {XferError} OBJECTS_DIFFER
 */
async function compareByReading({ job, sides, toRead, ranges, limits, concurrency }) {
  const { engine, settings } = job
  const { pressure, cancel, emit } = job.run
  const { retries, partsPerInvocation } = settings
  /** @param {Side[]} objects @param {Part[]} some @param {import('../job/open').Run['emit']} tell */
  const read = async (objects, some, tell) => {
    const how = {
      sums: sumsFor(sides),
      engine,
      limits,
      concurrency,
      partsPerInvocation,
      pressure,
      retries,
      abort: cancel,
      emit: tell,
    }
    return await readRanges({ objects, ranges: some, ...how })
  }
  const found = await read(toRead, ranges, emit)
  if (toRead.length === 1) {
    const sums = sumsOfParts(found[0])
    const [known] = sides.filter(side => !toRead.includes(side))
    const { equal, differs } = compareSums(sums, known.object.sums)
    if (!differs && !compareSums(sums, toRead[0].reported.sums).differs) return checksumOf(sums, equal[0])
  }
  // If one reading differs from the other's stored checksum, both are read: to find the range, and because a reading may be wrong.
  const [one, other] = toRead.length === 2 ? found : await read(sides, ranges, unlessPart(emit))
  await compareRanges(sides, ranges, [one, other], again => read(sides, again, unlessPart(emit)))
  const sums = sumsOfParts(one)
  for (const { text, reported } of sides) checkOwn(text, reported, sums)
  return checksumOf(sums)
}

/** @param {import('../types').Sums} sums @param {import('../types').Sum} [sum] default: the first of them */
function checksumOf(sums, sum = CRCS.find(each => sums[each] !== undefined) ?? 'crc32') {
  return { sum, value: sumText(sum, sums[sum]) }
}

/**
 * @param {Side[]} sides
 * @param {Part[]} ranges
 * @param {TaskSuccess[][]} found the results of both sides; corrected in place if a second reading differs
 * @param {(ranges: Part[]) => Promise<TaskSuccess[][]>} readAgain
 * @throws {XferError} OBJECTS_DIFFER
 */
async function compareRanges([{ text: source }, { text: destination }], ranges, found, readAgain) {
  const [first, second] = found
  for (const range of differing(ranges, first, second)) {
    const at = ranges.indexOf(range)
    for (let attempt = 0; !sameCrcs(found[0][at].sums, found[1][at].sums); attempt++) {
      if (attempt === MOST_AGAIN) {
        const { start, bytes } = range
        const reason = `the first difference is in ${bytesIn(range)}`
        throw new XferError('OBJECTS_DIFFER', { source, destination, reason, start, end: start + bytes - 1 })
      }
      for (const [side, [again]] of (await readAgain([range])).entries()) found[side][at] = again
    }
  }
}

/** Both readings are equal: compares them with the object's own stored checksum. @param {string} text @param {ObjectHead} object @param {import('../types').Sums} found */
function checkOwn(text, { sums }, found) {
  const { differs } = compareSums(sums, found)
  if (!differs) return
  const [expected, is] = [sums, found].map(each => sumText(differs, each?.[differs]))
  throw new XferError('DAMAGED', { location: text, sum: SUM_WORDS[differs], expected, found: is })
}

module.exports = { verify }
