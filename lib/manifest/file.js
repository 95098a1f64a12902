'use strict'

/** The file of a manifest, opened to be read. */

const { open } = require('node:fs/promises')
const { bad } = require('./records')

/** closed by who opened it @typedef {{ handle: import('node:fs/promises').FileHandle, bytes: number }} OpenedManifest */

const CHUNK = 16 * 1024

/** @param {OpenedManifest} opened */
const chunksOf = ({ handle }) => handle.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK })

/** @param {string} path @returns {Promise<OpenedManifest>} @throws {import('../types').XferError} BAD_MANIFEST */
async function openFile(path) {
  try {
    const handle = await open(path)
    const found = await handle.stat()
    if (found.isFile()) return { handle, bytes: found.size }
    await handle.close()
  } catch (cause) {
    throw bad(path, undefined, `it cannot be read (${/** @type {any} */ (cause).code})`, cause)
  }
  throw bad(path, undefined, 'it is no file')
}

module.exports = { chunksOf, openFile }
