'use strict'

/** Checksums: what they look like, everywhere in the program and in the headers of stores, and how bytes are summed. Pure. */

const crypto = require('node:crypto')
const { byFolding, byTable, foldedAtOnce, nativeCrc32, ofTable } = require('./crc')

/** @typedef {import('../../lib/types').Sum} Sum */
/** @typedef {import('../../lib/types').Sums} Sums */

/** How many bytes each has. @type {Record<Sum, number>} */
const SUM_BYTES = { crc32: 4, crc32c: 4, crc64nvme: 8, md5: 16 }

/** For messages. @type {Record<Sum, string>} */
const SUM_WORDS = { crc32: 'CRC-32', crc32c: 'CRC-32C', crc64nvme: 'CRC-64/NVME', md5: 'MD5' }

/** @param {unknown} value @returns {value is Sum} */
function isSumName(value) {
  return typeof value === 'string' && Object.hasOwn(SUM_BYTES, value)
}

/** Whether a text is such a checksum: lower-case hex of its width. @param {Sum} sum @param {unknown} value */
function isSum(sum, value) {
  return typeof value === 'string' && value.length === 2 * SUM_BYTES[sum] && /^[0-9a-f]+$/.test(value)
}

/** @param {unknown} value @returns {value is Sums} */
function isSums(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(([sum, text]) => isSumName(sum) && isSum(sum, text))
}

/**
 * @param {Sum} sum
 * @param {string} text as a store writes it
 * @param {'base64' | 'base64le' | 'hex'} encoding `base64le`: of the bytes in reverse order
 * @returns {string | undefined} undefined if it is no such checksum
 */
function decodeSum(sum, text, encoding) {
  const hex = encoding === 'hex' ? text.toLowerCase() : hexOf(text, encoding === 'base64le')
  return isSum(sum, hex) ? hex : undefined
}

/** @param {string} base64 @param {boolean} reversed @returns {string} empty if it is not base64 */
function hexOf(base64, reversed) {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64) return ''
  return (reversed ? bytes.reverse() : bytes).toString('hex')
}

/**
 * Checksums of bytes that come in pieces. `update` takes the next bytes, and leaves them as they are. `digest` is called once, at
 * the end.
 * @typedef {{ update: (piece: Uint8Array) => void, digest: () => Sums }} Running
 */

/** @param {Sum} kind @returns {import('./crc').RunningSum} */
function startSum(kind) {
  if (kind !== 'md5') return byFolding(kind) ?? byTable(kind)
  const hash = crypto.createHash('md5')
  return { update: piece => void hash.update(piece), digest: () => hash.digest('hex') }
}

/**
 * @param {Sum[]} kinds which checksums; none is no work
 * @returns {Running}
 */
function createSums(kinds) {
  const running = kinds.map(kind => ({ kind, ...startSum(kind) }))
  return {
    update(piece) {
      for (const { update } of running) update(piece)
    },
    digest: () => Object.fromEntries(running.map(({ kind, digest }) => [kind, digest()])),
  }
}

/** Fewer bytes go through the table at once. */
const FEW_BYTES = 2_048

/**
 * The checksums of bytes that are all there.
 * @param {readonly Sum[]} kinds
 * @param {Buffer} bytes
 * @returns {Sums}
 */
function sumsOf(kinds, bytes) {
  /** @type {Sums} */
  const sums = {}
  for (const kind of kinds) {
    if (kind === 'md5') sums.md5 = crypto.createHash('md5').update(bytes).digest('hex')
    else if (kind === 'crc32' && nativeCrc32) sums.crc32 = nativeCrc32(bytes).toString(16).padStart(8, '0')
    else sums[kind] = (bytes.length > FEW_BYTES ? foldedAtOnce(kind, bytes) : undefined) ?? ofTable(kind, bytes)
  }
  return sums
}

module.exports = { createSums, decodeSum, isSum, isSumName, isSums, SUM_BYTES, SUM_WORDS, sumsOf }
