'use strict'

/** `xfer copy -`: an object from a stream. */

const { Readable } = require('node:stream')
const { kindOf, usage } = require('../errors')
const { checkArguments } = require('../options')
const { uploadStream } = require('../stream')
const { runJob } = require('./copy-job')

/** @typedef {import('../types').UploadOptions} UploadOptions */
/** @typedef {import('../types').Summary} Summary */

/**
 * Writes an object from a stream. Nothing of it is visible before all of it has come, and nothing is kept if it fails.
 *
 * @param {AsyncIterable<Uint8Array>} readable it is destroyed when the upload ends
 * @param {string} destination `s3://bucket/key`
 * @param {UploadOptions} [options]
 * @returns {Promise<Summary>} resolves once the object is at the destination and proved
 * @throws {XferError} INPUT_FAILED, INPUT_DIFFERS, TOO_LARGE; as `copy`
 */
async function upload(readable, destination, options = {}) {
  return await runJob(options, async (given, how) => {
    const input = inputOf(readable)
    checkArguments('upload', { destination }, given)
    return await uploadStream(input, destination, given, how)
  })
}

/** @param {unknown} readable @returns {Readable} */
function inputOf(readable) {
  if (readable instanceof Readable) return readable
  const given = /** @type {any} */ (readable)
  if (typeof given?.[Symbol.asyncIterator] === 'function') return Readable.from(given)
  const text = `upload: the stream is ${given === undefined ? 'missing' : `${kindOf(given)}, not a readable stream`}.`
  throw usage(text, 'Give a Readable of bytes, such as createReadStream(path).')
}

module.exports = { upload }
