'use strict'

/** The checksums of bytes that come in pieces. */

const crypto = require('node:crypto')
const zlib = require('node:zlib')
const { byFolding, foldedAtOnce } = require('./fold')
const { CRC_KINDS, byTable, ofTable } = require('./table')

/**
 * @typedef {'crc32' | 'crc32c' | 'crc64nvme' | 'md5'} Sum
 * In lower-case hexadecimal digits, the most significant first: 8, 8, 16 and 32 of them.
 * @typedef {{ [S in Sum]?: string }} Sums
 *
 * `update` takes the next bytes, and leaves them as they are. `digest` is called once, at the end.
 * @typedef {{ update: (piece: Uint8Array) => void, digest: () => Sums }} Running
 */

/** @returns {Running} */
function runningMd5() {
  const hash = crypto.createHash('md5')
  return { update: piece => void hash.update(piece), digest: () => ({ md5: hash.digest('hex') }) }
}

/**
 * @param {Sum[]} kinds which checksums; none is no work
 * @returns {Running}
 */
function createSums(kinds) {
  const crcs = CRC_KINDS.filter(kind => kinds.includes(kind))
  const running = [
    ...(crcs.length > 0 ? [byFolding(crcs) ?? byTable(crcs)] : []),
    ...(kinds.includes('md5') ? [runningMd5()] : []),
  ]
  return {
    update(piece) {
      for (const { update } of running) update(piece)
    },
    digest: () => Object.assign({}, ...running.map(({ digest }) => digest())),
  }
}

/** Node.js has it from 20.15 and 22.2 on. */
const { crc32: nativeCrc32 } = /** @type {{ crc32?: (bytes: Uint8Array) => number }} */ (/** @type {unknown} */ (zlib))
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

module.exports = { createSums, sumsOf }
