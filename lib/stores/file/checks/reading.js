'use strict'

const { open, opendir } = require('node:fs/promises')

/**
 * Reads one byte of a file, or one name of a folder.
 *
 * @param {string} path
 * @param {import('.').Explain} explain
 * @returns {Promise<import('../../../types').Finding>}
 * @throws {import('../../../types').XferError}
 */
async function tryReading(path, explain) {
  try {
    const handle = await open(path, 'r')
    try {
      const stats = await handle.stat()
      if (stats.isDirectory()) return await readFolder(path)
      if (!stats.isFile()) return { ok: false, detail: `${path} is neither a file nor a folder.`, hint: 'Name a file.' }
      const { bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, 0)
      const size = stats.size.toLocaleString('en-US')
      return {
        ok: true,
        detail: `${path} has ${size} bytes, and ${bytesRead === 0 ? 'none' : 'one'} of them was read.`,
      }
    } finally {
      await handle.close()
    }
  } catch (cause) {
    throw explain(cause, path)
  }
}

/** @param {string} path @returns {Promise<import('../../../types').Finding>} */
async function readFolder(path) {
  const folder = await opendir(path)
  try {
    const first = await folder.read()
    const what = first ? 'is a folder, and its names can be read' : 'is an empty folder'
    return { ok: true, detail: `${path} ${what}: name a file to have it read.` }
  } finally {
    await folder.close()
  }
}

module.exports = { tryReading }
