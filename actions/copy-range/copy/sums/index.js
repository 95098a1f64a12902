'use strict'

/** The checksums of bytes that come in pieces. */

const crypto = require('node:crypto')
const { byFolding } = require('./fold')
const { CRC_KINDS, byTable } = require('./table')

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

module.exports = { createSums }
