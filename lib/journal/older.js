'use strict'

/** Facts as older versions wrote them: a CRC-32 as a number, an MD5 in hex, each in a field of its own. Pure. */

/** @typedef {{ crc32?: unknown, md5?: unknown }} OlderSums */

/**
 * @param {any} fact about an object, as a line has it
 * @returns {any} the same fact with the fields of this version; what is damaged stays so
 */
function asNow(fact) {
  if (fact.type === 'completing' && fact.crc32 !== undefined) return { ...fact, sums: sumsOf(fact) }
  if (fact.type !== 'part') return fact
  const { answered } = fact
  const isOlder = typeof answered?.crc32 === 'number'
  return {
    ...fact,
    ...(fact.sums === undefined && { sums: sumsOf(fact) }),
    ...(isOlder && { answered: sumsOf(answered) }),
  }
}

/** @param {OlderSums} older */
function sumsOf({ crc32, md5 }) {
  return { ...(crc32 !== undefined && { crc32: hexOf(crc32) }), ...(md5 !== undefined && { md5 }) }
}

/** @param {unknown} crc32 an unsigned 32-bit integer; anything else is no checksum */
function hexOf(crc32) {
  const isCrc32 = typeof crc32 === 'number' && Number.isInteger(crc32) && crc32 >= 0 && crc32 < 2 ** 32
  return isCrc32 ? crc32.toString(16).padStart(8, '0') : ''
}

module.exports = { asNow }
