'use strict'

/** Checksums as S3 writes them, in headers and in documents. Pure. */

const { decodeSum } = require('../../../actions/copy-range/sums')
const { CRCS, FULL, SUM_TYPE, sumHeader } = require('./rules')

/** @typedef {import('../../types').Sums} Sums */

/**
 * The checksums that a store keeps of an object, from the answer to a HEAD, a GET or a PUT. Stores that do not send the type
 * mark a composite value by a dash and a part count.
 *
 * @param {Record<string, string | undefined>} headers by names in lower case
 * @returns {{ sums?: Sums, composite?: { crc32: string } }}
 */
function sumsOf(headers) {
  return sumsFrom(sum => headers[sumHeader(sum)], headers[SUM_TYPE])
}

/**
 * The same, from a document.
 *
 * @param {Record<string, any>} values of its elements
 * @returns {{ sums?: Sums, composite?: { crc32: string } }}
 */
function sumsIn(values) {
  return sumsFrom(sum => values[`Checksum${sum.toUpperCase()}`], values.ChecksumType)
}

/** @param {(sum: typeof CRCS[number]) => string | undefined} textOf @param {string} [type] */
function sumsFrom(textOf, type = FULL) {
  const crc32 = textOf('crc32')
  // A composite value of another checksum is of no use: those of our parts are not computed by its rules.
  const composite = crc32 && (type !== FULL || crc32.includes('-')) ? { composite: { crc32 } } : {}
  if (type !== FULL) return composite
  const sums = Object.fromEntries(
    CRCS.flatMap(sum => {
      const value = decodeSum(sum, textOf(sum) ?? '', 'base64')
      return value === undefined ? [] : [[sum, value]]
    }),
  )
  return { ...composite, ...(Object.keys(sums).length > 0 && { sums }) }
}

module.exports = { sumsIn, sumsOf }
