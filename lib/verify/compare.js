'use strict'

/** Compares two objects by reading those whose store keeps no checksum, range by range. */

const { XferError } = require('../errors')
const { compareSums, CRCS, differenceOf, hasCrc, sameCrcs, sumsOfParts, sumText } = require('../integrity')
const { bytesIn, differing, rangesOf, readRanges } = require('./read')
const { noticesOfMd5s } = require('./stored')

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('./stored').Side} Side */

/** A range that differs is read this many times again: either reading may be wrong. */
const MOST_AGAIN = 2

/**
 * The ranges to read. A file is read in one if all that is known of the other object is the MD5 of the whole: then the other
 * is not read.
 *
 * @param {Side[]} sides
 * @param {number} chunkBytes the usual size of a range
 * @param {{ both: boolean }} how both: whether both objects are read in any case
 * @returns {{ ranges: Part[], usual: Part[], toRead: Side[] }} usual: those of the usual size, which show where two objects
 *   differ; toRead: the objects to read
 */
function rangesToRead(sides, chunkBytes, { both }) {
  const { bytes } = sides[0].object
  const usual = rangesOf(bytes, chunkBytes)
  const files = sides.filter(({ store }) => store.can.reach === 'process')
  const other = sides.find(side => !files.includes(side))
  const inOne = !both && files.length === 1 && other?.md5 !== undefined && !hasCrc(other.object.sums)
  const ranges = inOne ? rangesOf(bytes, Math.max(bytes, 1)) : usual
  return { usual, ranges, toRead: both ? sides : unkept(sides, ranges) }
}

/**
 * The objects to read. One is enough if the other's checksum is kept: it is compared with that.
 *
 * @param {Side[]} sides
 * @param {Part[]} ranges
 */
function unkept(sides, ranges) {
  const without = sides.filter(({ object }) => !hasCrc(object.sums))
  // Both keep one, and not the same.
  if (without.length === 0) return sides.slice(1)
  const known = without.length === 2 && sides.find(side => md5Of(side, ranges) !== undefined)
  return known ? sides.filter(side => side !== known) : without
}

/** The MD5 that a reading can be compared with: those of ranges do not give that of the whole. @param {Side} side @param {Part[]} ranges */
function md5Of({ md5 }, ranges) {
  return ranges.length === 1 ? md5 : undefined
}

/** The checksums to compute: those that either store keeps. @param {Side[]} sides @returns {import('../types').Sum[]} */
function sumsFor(sides) {
  const kept = CRCS.filter(sum => sides.some(({ reported }) => reported.sums?.[sum] !== undefined))
  return kept.length > 0 ? kept : CRCS.slice(0, 1)
}

/**
 * @param {import('./read').Work & { job: import('../job/contract').Context }} work
 * @param {object} how
 * @param {Side[]} how.sides
 * @param {ReturnType<typeof rangesToRead>} how.split
 * @returns {Promise<Pick<import('../types').Verification, 'sum' | 'value'>>} the checksum of both
 * @throws {XferError} OBJECTS_DIFFER
 */
async function compareByReading(work, { sides, split: { toRead, ranges, usual } }) {
  const { emit } = work.job.run
  const [known] = sides.filter(side => !toRead.includes(side))
  const md5 = known && !hasCrc(known.object.sums) ? md5Of(known, ranges) : undefined
  const sums = [...sumsFor(sides), ...(md5 === undefined ? [] : [/** @type {const} */ ('md5')])]
  /** @param {Side[]} objects @param {Part[]} some @param {import('../job/contract').Run['emit']} tell */
  const read = (objects, some, tell) => readRanges(work, { objects, ranges: some, sums, emit: tell })
  const found = await read(toRead, ranges, emit)
  if (known) {
    const computed = sumsOfParts(found[0])
    const { equal, differs } = compareSums(computed, { ...known.object.sums, md5 }, [...CRCS, 'md5'])
    const itself = compareSums(computed, toRead[0].reported.sums).differs
    if (equal.length > 0 && !differs && !itself) {
      if (equal[0] === 'md5') noticesOfMd5s([known]).forEach(emit)
      return checksumOf(computed, equal[0])
    }
  }
  // If one reading differs from the other's stored checksum, both are read: to find the range, and because a reading may be wrong.
  const [one, other] = toRead.length === 2 ? found : await read(sides, usual, unlessPart(emit))
  await compareRanges(sides, usual, [one, other], again => read(sides, again, unlessPart(emit)))
  const computed = sumsOfParts(one)
  for (const { text, reported } of sides) checkOwn(text, reported, computed)
  return checksumOf(computed)
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
        const where = { reason, start, end: start + bytes - 1 }
        throw new XferError('OBJECTS_DIFFER', { source, destination, by: 'bytes', ...where })
      }
      for (const [side, [again]] of (await readAgain([range])).entries()) found[side][at] = again
    }
  }
}

/** Both readings are equal: compares them with the object's own stored checksum. @param {string} text @param {import('../types').ObjectHead} object @param {import('../types').Sums} found */
function checkOwn(text, { sums }, found) {
  const difference = differenceOf(sums, found)
  if (!difference) return
  const { words, one, other } = difference
  throw new XferError('OBJECTS_DIFFER', { location: text, sum: words, expected: one, found: other })
}

/** Emits all events but `part`: progress events show the ranges. @param {(event: any) => void} emit */
function unlessPart(emit) {
  return (/** @type {{ type: string }} */ event) => {
    if (event.type !== 'part') emit(event)
  }
}

module.exports = { compareByReading, rangesToRead, unlessPart }
