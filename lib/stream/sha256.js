'use strict'

/**
 * `--expect-sha256` of an object that is copied in parts: a SHA-256 cannot be made of those of parts, so this machine reads the
 * object once more, in its order, before anything is written. The CRC-32 of that reading then ties the copy to it.
 */

const { createHash } = require('node:crypto')
const { XferError, factsOfCause, usage } = require('../errors')
const { notice } = require('../notices')
const { downloadObject, openDownload } = require('./download')

/** @typedef {import('../types').ObjectHead} ObjectHead */

/** Of the reading, what a user of the copy hears. */
const TOLD = ['notice', 'retry', 'outage', 'throttle']

/**
 * @param {string} location of the source, as it was given
 * @param {import('../types').JobWish} options of the copy, with the SHA-256 that is expected
 * @param {Pick<import('../job/open').Job, 'run' | 'settings'>} job
 * @returns {(object: ObjectHead) => Promise<ObjectHead>} resolves to the object with the checksums of what was read;
 *   rejects with INPUT_DIFFERS, SOURCE_CHANGED and the errors of reading
 * @throws {XferError} USAGE
 */
function sha256Judge(location, options, { run, settings }) {
  const expected = readSha256(/** @type {string} */ (options.expectSha256))
  if (!settings.proved) {
    throw usage(
      '--expect-sha256 compares what is written with what was read, and --verify none and size compare nothing.',
      'Leave --verify out.',
    )
  }
  return async object => {
    const told = notice('READING_SOURCE', { bytes: object.bytes })
    const { all = [], ofParts = [] } = object.notices ?? {}
    const announced = { ...object, notices: { all: [...all, told], ofParts } }
    if (settings.dryRun) return announced
    run.emit(told)
    const { sha256: found, etag, bytes, sums } = await readInOrder(location, options, run)
    if (found !== expected) throw new XferError('INPUT_DIFFERS', { what: 'SHA-256', expected, found, of: 'source' })
    if (etag !== object.etag || bytes !== object.bytes) throw new XferError('SOURCE_CHANGED')
    return { ...announced, sums: { ...object.sums, ...sums } }
  }
}

/**
 * @param {string} location
 * @param {import('../types').JobWish} options
 * @param {Pick<import('../job/contract').Run, 'cancel' | 'emit'>} run
 */
async function readInOrder(location, options, { cancel, emit }) {
  const { env, signal, caBundle, retries, outageTimeout, bandwidth, source } = options
  const wish = { env, signal, caBundle, retries, outageTimeout, bandwidth, source, engine: 'local' }
  const tell = (/** @type {import('../types').JobEvent} */ event) => {
    if (TOLD.includes(event.type)) emit(event)
  }
  const opened = await openDownload(location, /** @type {any} */ (wish), tell, /** @type {AbortSignal} */ (cancel))
  const hash = createHash('sha256')
  try {
    const read = await downloadObject(opened, async piece => void hash.update(piece)).catch(error => {
      if (error.code !== 'OBJECT_CHANGED') throw error
      throw new XferError('SOURCE_CHANGED', factsOfCause(error), { cause: error })
    })
    const { etag, bytes, sums } = /** @type {typeof read & Pick<ObjectHead, 'sums'>} */ (read)
    return { sha256: hash.digest('hex'), etag, bytes, sums }
  } finally {
    await opened.close()
  }
}

/** @param {string} text @returns {string} in lower case @throws {XferError} USAGE */
function readSha256(text) {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw usage('--expect-sha256 is not a SHA-256 in hex.', 'Give its 64 digits, as sha256sum prints them.')
}

module.exports = { sha256Judge, readSha256 }
