'use strict'

/** Compares two objects by reading those whose store keeps no checksum, range by range. */

const { XferError } = require('../errors')
const { compareSums, CRCS, hasCrc, sameCrcs, sumsOfParts, sumText, SUM_WORDS } = require('../integrity')
const { bytesIn, differing, readRanges } = require('./read')

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('./sides').Side} Side */

/** A range that differs is read this many times again: either reading may be wrong. */
const MOST_AGAIN = 2

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

/**
 * @param {object} work
 * @param {import('../job/contract').Context} work.job
 * @param {Side[]} work.sides
 * @param {Side[]} work.toRead those of them that are read
 * @param {Part[]} work.ranges
 * @param {import('../types').EngineLimits} work.limits
 * @param {number} work.concurrency
 * @returns {Promise<Pick<import('../types').Verification, 'sum' | 'value'>>} the checksum of both
 * @throws {XferError} OBJECTS_DIFFER
 */
async function compareByReading({ job, sides, toRead, ranges, limits, concurrency }) {
  const { engine, settings } = job
  const { pressure, cancel, emit } = job.run
  const { retries, partsPerInvocation } = settings
  /** @param {Side[]} objects @param {Part[]} some @param {import('../job/contract').Run['emit']} tell */
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

/** Both readings are equal: compares them with the object's own stored checksum. @param {string} text @param {import('../types').ObjectHead} object @param {import('../types').Sums} found */
function checkOwn(text, { sums }, found) {
  const { differs } = compareSums(sums, found)
  if (!differs) return
  const [expected, is] = [sums, found].map(each => sumText(differs, each?.[differs]))
  throw new XferError('DAMAGED', { location: text, sum: SUM_WORDS[differs], expected, found: is })
}

/** Emits all events but `part`: progress events show the ranges. @param {(event: any) => void} emit */
function unlessPart(emit) {
  return (/** @type {{ type: string }} */ event) => {
    if (event.type !== 'part') emit(event)
  }
}

module.exports = { compareByReading, unkept, unlessPart }
