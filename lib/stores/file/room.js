'use strict'

const { statfs } = require('node:fs/promises')
const { XferError } = require('./words')

/**
 * A full disk is found before the first byte.
 *
 * @param {string} folder
 * @param {{ key: string, bytes: number, own?: number, facts: Record<string, any> }} file own: bytes that it takes already; facts: of
 *   the store
 * @throws {XferError} DISK_FULL
 */
async function checkRoom(folder, { key, bytes, own = 0, facts }) {
  const { bavail, blocks, bsize } = await statfs(folder)
  // Some file systems in memory have no size.
  if (blocks === 0) return
  const free = bavail * bsize + own
  if (free < bytes)
    throw new XferError('DISK_FULL', { ...facts, key, path: `/${key}`, storeCode: 'ENOSPC', free, bytes })
}

module.exports = { checkRoom }
