'use strict'

/** Contents of any size, made and hashed as a stream. */

const { createCipheriv, createHash } = require('node:crypto')
const { createWriteStream } = require('node:fs')
const { pipeline } = require('node:stream/promises')

const ZEROS = Buffer.alloc(1024 ** 2)

/** @param {string} path of the file that is made @param {number} bytes nowhere repeated @returns {Promise<string>} SHA-256, hex */
async function makeContent(path, bytes) {
  const hash = createHash('sha256')
  function* blocks() {
    const cipher = createCipheriv(
      'aes-256-ctr',
      createHash('sha256').update(`matrix/${bytes}`).digest(),
      Buffer.alloc(16),
    )
    for (let left = bytes; left > 0; left -= ZEROS.length) {
      const block = cipher.update(ZEROS.subarray(0, Math.min(left, ZEROS.length)))
      hash.update(block)
      yield block
    }
  }
  await pipeline(blocks, createWriteStream(path))
  return hash.digest('hex')
}

module.exports = { makeContent }
