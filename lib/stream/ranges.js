'use strict'

/** The ranges of a download: their sizes, and how many are read ahead. Pure. */

const { usage } = require('../errors')

const MiB = 1024 ** 2

/** A range that nobody chose: large enough for a connection's full speed, small enough to read many ahead. */
const USUAL_BYTES = 8 * MiB
/** Parts up to this size are read whole, because their checksums are then known at once. */
const MOST_WHOLE_PART = 16 * MiB
/** Of all ranges that were read and are not yet written. */
const MEMORY_BYTES = 512 * MiB
/** Ranges ahead, where nobody chose the concurrency. */
const USUAL_AHEAD = 16

/** @typedef {{ start: number, bytes: number, partBytes?: number, rangeBytes: number }} Cut what is read: partBytes: no range crosses the border of such a part */

/**
 * @param {object} wish
 * @param {number} [wish.chunkBytes] the size that the user chose
 * @param {number} [wish.concurrency] the number that the user chose
 * @param {number} [wish.partBytes] of the source's parts, if they matter
 * @returns {{ rangeBytes: number, ahead: number }} ahead: ranges in memory, at least 1
 */
function sizeRanges({ chunkBytes, concurrency, partBytes }) {
  const whole = partBytes !== undefined && partBytes <= MOST_WHOLE_PART ? partBytes : USUAL_BYTES
  // Two ranges at least: one that is read while the other is written.
  const rangeBytes = Math.max(1, Math.min(chunkBytes ?? whole, MEMORY_BYTES / 2, partBytes ?? Number.POSITIVE_INFINITY))
  const most = concurrency === undefined ? USUAL_AHEAD : concurrency + 1
  return { rangeBytes, ahead: Math.max(1, Math.min(most, Math.floor(MEMORY_BYTES / rangeBytes))) }
}

/**
 * @param {Cut} cut
 * @returns {Generator<import('../types').Part>} in order; one of 0 bytes if there is nothing to read
 */
function* rangesOf({ start, bytes, partBytes, rangeBytes }) {
  const end = start + bytes
  if (bytes === 0) yield { partNumber: 1, start, bytes: 0 }
  for (let at = start, partNumber = 1; at < end; partNumber++) {
    const border = partBytes === undefined ? end : Math.min(end, (Math.floor(at / partBytes) + 1) * partBytes)
    const size = Math.min(rangeBytes, border - at)
    yield { partNumber, start: at, bytes: size }
    at += size
  }
}

/** How many ranges `rangesOf` yields. @param {Cut} cut which begins at a border @returns {number} */
function countRanges({ bytes, partBytes = bytes, rangeBytes }) {
  if (bytes === 0) return 1
  const inParts = Math.floor(bytes / partBytes) * Math.ceil(partBytes / rangeBytes)
  return inParts + Math.ceil((bytes % partBytes) / rangeBytes)
}

/** The bytes that are wanted of an object: `--range`. Pure. */

/**
 * The first and the last byte, from 0; without the last one: to the end; without the first one: so many at the end.
 *
 * @typedef {{ first?: number, last?: number }} Wanted
 */

const ADVICE = 'Give the first and the last byte, from 0: 0-999; 1000- for all from there; -500 for the last 500.'

/** @param {string} text @returns {Wanted} @throws {XferError} USAGE */
function parseRange(text) {
  const [, from, to] = /^(\d*)-(\d*)$/.exec(text) ?? []
  const [first, last] = [from, to].map(digits => (digits ? Number(digits) : undefined))
  const isWhole = [first, last].every(each => each === undefined || Number.isSafeInteger(each))
  const backwards = first !== undefined && last !== undefined && last < first
  if ((first === undefined && last === undefined) || !isWhole || backwards) {
    throw usage(`--range "${text}" is no range of bytes.`, ADVICE)
  }
  return { first, last }
}

/**
 * @param {Wanted | undefined} wanted undefined: all
 * @param {number} total of the object
 * @returns {{ start: number, bytes: number }} as far as the object has them
 * @throws {XferError} USAGE if it has none of them
 */
function chosenOf(wanted, total) {
  if (!wanted) return { start: 0, bytes: total }
  const { first, last } = wanted
  const start = first ?? Math.max(0, total - /** @type {number} */ (last))
  const end = first === undefined ? total : Math.min(total, (last ?? total) + 1)
  if (start < end) return { start, bytes: end - start }
  throw usage(`--range lies outside the object, which has ${total.toLocaleString('en-US')} bytes.`, ADVICE)
}

module.exports = { countRanges, rangesOf, sizeRanges, chosenOf, parseRange }
