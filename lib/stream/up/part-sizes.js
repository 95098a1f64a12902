'use strict'

/**
 * The sizes of the parts of a stream. Its length is not known, the number of parts is limited, and every part is held until the
 * store has it: so the parts begin small and grow. Pure.
 */

const { XferError } = require('../../errors')

const MiB = 1024 ** 2

const FIRST = 8 * MiB
/** For a store that wants parts of one size: some of them fit into the memory, and 625 GiB into 10,000. */
const EQUAL = 64 * MiB
/** How the size grows with each tenth of the parts: 10,000 parts from 8 MiB on hold 5 TiB. */
const GROWTH = [1, 2, 4, 8, 16, 32, 64, 128, 205, 205]
/** One is filled while the other is sent. */
const LEAST_HELD = 2
/** The share of the parts that is planned for `--size`, which may be a little too small. */
const PLANNED = 0.9

/**
 * @typedef {object} PartSizes
 * @property {(partNumber: number, start: number) => number} bytesOf the size of a part that begins at this offset
 * @property {number} first the size of the first part
 * @property {number} maxParts
 * @property {number} most the bytes that all parts hold
 */

/**
 * @param {object} of
 * @param {import('../../types').PartLimits} of.limits of the destination
 * @param {number} [of.chunkBytes] the size of the first part that the user asked for
 * @param {number} [of.sizeBytes] how long the stream probably is
 * @param {number} of.memoryBytes what may be held in memory
 * @param {boolean} of.spills whether a part that is too large for that is held in a file
 * @returns {PartSizes}
 * @throws {XferError} USAGE if the parts are too large for the memory
 */
function createPartSizes({ limits, chunkBytes, sizeBytes = 0, memoryBytes, spills }) {
  const { minBytes, maxBytes, maxParts, equalParts } = limits
  const room = Math.floor(memoryBytes / LEAST_HELD)
  const largest = Math.min(maxBytes, spills ? maxBytes : room)
  const usual = equalParts ? Math.min(EQUAL, largest) : FIRST
  const wanted = Math.max(minBytes, chunkBytes ?? usual)
  const planned = wholeMib(sizeBytes / Math.floor(PLANNED * maxParts))
  const first = Math.max(wanted, planned)
  if (first > largest) throw tooLarge({ first, largest, maxBytes, sizeBytes })

  /** @param {number} partNumber @param {number} start */
  function bytesOf(partNumber, start) {
    if (equalParts || start < sizeBytes) return first
    const step = Math.floor(((partNumber - 1) / maxParts) * GROWTH.length)
    return Math.max(first, Math.min(largest, wanted * GROWTH[Math.min(step, GROWTH.length - 1)]))
  }

  let most = 0
  for (let partNumber = 1; partNumber <= maxParts; partNumber++) most += bytesOf(partNumber, most)
  return { bytesOf, first, maxParts, most }
}

/** @param {{ first: number, largest: number, maxBytes: number, sizeBytes: number }} sizes */
function tooLarge({ first, largest, maxBytes, sizeBytes }) {
  const parts = `parts of ${mib(first)}`
  if (largest === maxBytes) {
    return new XferError('USAGE', {
      text: `The destination takes parts of at most ${mib(maxBytes)}, and this stream would need ${parts}.`,
      advice: sizeBytes > 0 ? 'Split the stream, or check --size.' : 'Choose a smaller --chunk.',
    })
  }
  return new XferError('USAGE', {
    text: `The stream would need ${parts}, and each is held until the destination has it: --memory holds less than two.`,
    advice: `Give --memory ${mib(2 * first).replace(' ', '')} or more, or a --temp-dir for parts that do not fit into it.`,
  })
}

/** @param {number} bytes */
function wholeMib(bytes) {
  return Math.ceil(bytes / MiB) * MiB
}

/** @param {number} bytes */
function mib(bytes) {
  return `${Math.ceil(bytes / MiB)} MiB`
}

module.exports = { createPartSizes }
