'use strict'

/**
 * The sizes of the parts of a stream. Its length is not known, the number of parts is limited, and every part is held until the
 * store has it: so the parts begin small and grow. Pure.
 */

const { usage } = require('../errors')

const MiB = 1024 ** 2

const FIRST_BYTES = 8 * MiB
/** For a store that wants parts of one size: some of them fit into the memory, and 625 GiB into 10,000. */
const EQUAL = 64 * MiB
/** What is held of a stream at most: 64 parts of the first size. */
const MEMORY_BYTES = 512 * MiB
/** One is filled while the other is sent. */
const LARGEST = MEMORY_BYTES / 2
/** The size doubles with each tenth of the parts: 10,000 from 8 MiB on hold 1.4 TiB. */
const STEPS = 10
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
 * @param {import('../types').PartLimits} of.limits of the destination
 * @param {number} [of.chunkBytes] the size of the first part that the user asked for
 * @param {number} [of.sizeBytes] how long the stream probably is
 * @returns {PartSizes}
 * @throws {XferError} USAGE if the parts are too large for the memory
 */
function createPartSizes({ limits, chunkBytes, sizeBytes = 0 }) {
  const { minBytes, maxBytes, maxParts, equalParts } = limits
  const largest = Math.min(maxBytes, LARGEST)
  const wanted = Math.max(minBytes, chunkBytes ?? (equalParts ? EQUAL : FIRST_BYTES))
  const planned = Math.ceil(sizeBytes / Math.floor(PLANNED * maxParts) / MiB) * MiB
  const first = Math.max(wanted, planned)
  if (first > largest) throw tooLarge({ first, largest, most: largest * Math.floor(PLANNED * maxParts), planned })

  /** @param {number} partNumber @param {number} start */
  function bytesOf(partNumber, start) {
    if (equalParts || start < sizeBytes) return first
    const doublings = Math.floor(((partNumber - 1) * STEPS) / maxParts)
    return Math.max(first, Math.min(largest, wanted * 2 ** doublings))
  }

  return {
    ...{ bytesOf, first, maxParts },
    get most() {
      let bytes = 0
      for (let partNumber = 1; partNumber <= maxParts; partNumber++) bytes += bytesOf(partNumber, bytes)
      return bytes
    },
  }
}

/** @param {{ first: number, largest: number, most: number, planned: number }} sizes planned: of the parts that `--size` needs */
function tooLarge({ first, largest, most, planned }) {
  const limit = Math.ceil(largest / MiB)
  const held = `parts of at most ${limit} MiB, because each is held in memory until the destination has it`
  if (first > planned) return usage(`A stream has ${held}.`, 'Choose a smaller --chunk.')
  return usage(
    `A stream has ${held}: --size can be ${Math.floor(most / MiB / 1024).toLocaleString('en-US')} GiB at most.`,
    'Split the stream; or write it to a file, and copy that: xfer copy FILE DEST.',
  )
}

module.exports = { createPartSizes, FIRST_BYTES, MEMORY_BYTES }
