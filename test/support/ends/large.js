'use strict'

/** Objects of any size, which are never in memory whole: written from a file, and read back into a hash. */

const { createHash } = require('node:crypto')
const { createReadStream } = require('node:fs')
const { stat } = require('node:fs/promises')
const { pipeline } = require('node:stream/promises')
const { putInto, sha256OfStored } = require('../../../sandbox/objects')

/** @typedef {import('../../../lib/types').Store} Store */

/** @param {Store} store it is closed @param {{ key: string, path: string }} object */
async function putFile(store, { key, path }) {
  try {
    await putInto(store, { key, bytes: (await stat(path)).size }, createReadStream(path))
  } finally {
    store.close()
  }
}

/** @param {Store} store it is closed @param {string} key @returns {Promise<string | undefined>} hex; undefined: there is no object */
async function sha256OfObject(store, key) {
  try {
    const { etag } = await store.head(key)
    return await sha256OfStored(store, { key, etag })
  } catch (error) {
    if (/** @type {any} */ (error).code !== 'NO_SUCH_KEY') throw error
  } finally {
    store.close()
  }
}

/** @param {string} path @returns {Promise<string | undefined>} hex; undefined: there is no file */
async function sha256OfFile(path) {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
  } catch (error) {
    if (/** @type {any} */ (error).code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('hex')
}

module.exports = { putFile, sha256OfFile, sha256OfObject }
