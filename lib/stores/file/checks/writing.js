'use strict'

const { open, unlink } = require('node:fs/promises')
const { join } = require('node:path')

const PROBE = 'xfer doctor\n'

/**
 * Writes a partial file of a few bytes, syncs it, and removes it.
 *
 * @param {{ folder: string, missing: boolean }} place
 * @param {{ explain: import('.').Explain, probe: string }} how probe: the name of the file
 * @returns {Promise<import('../../../types').Finding>}
 * @throws {import('../../../types').XferError}
 */
async function tryWriting({ folder, missing }, { explain, probe }) {
  const path = join(folder, probe)
  try {
    const handle = await open(path, 'wx', 0o600)
    try {
      await handle.writeFile(PROBE)
      await handle.sync()
    } finally {
      await handle.close()
      await unlink(path)
    }
  } catch (cause) {
    throw explain(cause, folder)
  }
  const made = missing ? '; a copy makes the folders that are missing below it' : ''
  return { ok: true, detail: `A file of a few bytes was written to ${folder}, synced and removed${made}.` }
}

module.exports = { tryWriting }
