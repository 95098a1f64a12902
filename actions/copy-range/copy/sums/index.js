'use strict'

/** The checksums of bytes that come in pieces. */

const crypto = require('node:crypto')
const { crc32 } = require('../crc32')
const { POLYNOMIALS } = require('./polynomials')
const { byTable } = require('./table')

/**
 * @typedef {'crc32' | 'crc32c' | 'crc64nvme' | 'md5'} Sum
 * In lower-case hexadecimal digits, the most significant first: 8, 8, 16 and 32 of them.
 * @typedef {{ [S in Sum]?: string }} Sums
 * @typedef {{ update: (piece: Uint8Array) => void, digest: () => string }} Running
 */

/** @returns {Running} */
function runningCrc32() {
  let crc = 0
  return {
    update(piece) {
      crc = crc32(piece, crc)
    },
    digest: () => hexOf(32, { high: 0, low: crc }),
  }
}

/** Made when first needed. @type {Map<string, import('./table').Advance>} */
const advances = new Map()

/** @param {import('./polynomials').CrcKind} kind @returns {Running} */
function runningCrc(kind) {
  const { width } = POLYNOMIALS[kind]
  const advance = advances.get(kind) ?? byTable(POLYNOMIALS[kind])
  advances.set(kind, advance)
  const register = { high: width === 64 ? 0xffffffff : 0, low: 0xffffffff }
  return {
    update: piece => advance(register, piece),
    digest: () => hexOf(width, { high: ~register.high >>> 0, low: ~register.low >>> 0 }),
  }
}

/** @returns {Running} */
function runningMd5() {
  const hash = crypto.createHash('md5')
  return { update: piece => void hash.update(piece), digest: () => hash.digest('hex') }
}

/** @type {Record<Sum, () => Running>} */
const RUNNING = {
  crc32: runningCrc32,
  crc32c: () => runningCrc('crc32c'),
  crc64nvme: () => runningCrc('crc64nvme'),
  md5: runningMd5,
}

/** @param {number} width @param {import('./table').Register} crc */
function hexOf(width, { high, low }) {
  const digits = (/** @type {number} */ half) => half.toString(16).padStart(8, '0')
  return width === 64 ? digits(high) + digits(low) : digits(low)
}

/**
 * @param {Sum[]} kinds which checksums; none is no work
 * @returns {{ update(piece: Uint8Array): void, digest(): Sums }} update: takes the next bytes, and leaves them as they
 *   are. digest: of all bytes so far; it is called once, at the end.
 */
function createSums(kinds) {
  const running = kinds.map(kind => ({ kind, ...RUNNING[kind]() }))
  return {
    update(piece) {
      for (const { update } of running) update(piece)
    },
    digest: () => Object.fromEntries(running.map(({ kind, digest }) => [kind, digest()])),
  }
}

module.exports = { createSums }
