'use strict'

/** Bytes of a run, put into stores that fail now and then, and read back. */

const { createCipheriv, createHash } = require('node:crypto')
const { setTimeout: delay } = require('node:timers/promises')
const { get, put } = require('../support/stores')
const { insist } = require('./proved')

/** Some faults have a store fall silent. */
const SILENT_MS = 5_000

/** @param {number} bytes @param {string} seed @returns {Buffer} the same every time, and nowhere repeated */
function contentOf(bytes, seed) {
  const key = createHash('sha256').update(seed).digest()
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(bytes))
}

/** @param {Buffer} bytes */
const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')

/** @param {any} store @param {string} key @param {Buffer} content @param {{ checksum?: boolean }} [options] */
async function write(store, key, content, options) {
  await insist(() => soon(put(store, key, content, options)))
}

/** @param {any} store @param {string} key @returns {Promise<Buffer>} */
async function read(store, key) {
  return await insist(() => soon(get(store, key)))
}

/** As it stands, and else worth another try. @template T @param {Promise<T>} work @returns {Promise<T>} */
async function soon(work) {
  const timer = new AbortController()
  const silent = delay(SILENT_MS, undefined, { signal: timer.signal }).then(() => {
    throw Object.assign(new Error('a store was silent'), { retryable: true })
  })
  try {
    return await Promise.race([work, silent])
  } catch (error) {
    const { retryable, message, code } = /** @type {any} */ (error)
    throw Object.assign(/** @type {Error} */ (error), {
      retryable: retryable ?? (/ 50\d /.test(message) || /^E[A-Z]+$/.test(code ?? '')),
    })
  } finally {
    timer.abort()
    silent.catch(() => {})
  }
}

module.exports = { contentOf, read, sha256, write }
