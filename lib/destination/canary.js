'use strict'

/**
 * Finds out whether a store checks the CRC-32 that follows the bytes of a part: an upload of its own gets a part of a few
 * bytes with the right one, which must be taken, and one with a wrong one, which must be refused. Both are framed as the
 * data is. Then the upload is aborted. Nothing becomes visible, and the upload of the copy has no part in it.
 */

const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const { frameBody } = require('../../actions/copy-range/stores/s3')
const { XferError, asXferError } = require('../errors')
const { ask } = require('../http')
const { unquoted } = require('../integrity')
const { tellLost } = require('./lost-upload')
const { repeat } = require('../async')
const { notice } = require('../notices')
const { ABORT_LIMIT_MS, abortUntilGone } = require('./uploads')

/** @typedef {import('../types').Store} Store */

const BYTES = Buffer.from('Does this store check?\n')
const NOT_ITS_CRC32 = crc32(BYTES) ^ 0xffffffff
const RIGHT = 1
const WRONG = 2
/** Of one part: a store that takes longer for a few bytes is believed nothing. */
const PART_LIMIT_MS = 30_000
/** Whoever answers so does it for another reason than the checksum. */
const OF_OTHER_REASONS = new Set([401, 403, 404, 408, 409, 411, 412, 413, 416, 423, 429])

/**
 * @param {object} at
 * @param {Store} at.store control calls are repeated where that can help
 * @param {string} at.key of the copy: credentials may be for it alone
 * @param {Pick<import('../types').JobJournal, 'write' | 'uploads'>} at.journal
 * @param {string[]} at.ours uploads of the key that the journal may not name yet
 * @param {number} at.retries of a part that could not be sent
 * @param {(event: import('../types').Notice) => void} at.emit
 * @param {AbortSignal} [at.signal]
 * @returns {Promise<boolean>} false where it is not certain that it checks
 * @throws {XferError} the reason of the signal alone
 */
async function seeWhetherItChecks({ store, key, journal, ours, retries, emit, signal }) {
  /** @type {string | undefined} */
  let uploadId
  try {
    const created = await begin({ store, key, journal, ours, emit, signal })
    uploadId = created.id
    if (!created.checksums) return false
    const send = (/** @type {number} */ partNumber, /** @type {number} */ sum) =>
      repeat(() => sendPart({ store, key, uploadId: created.id, partNumber, sum, signal }), { retries, signal })
    const right = await send(RIGHT, crc32(BYTES))
    if (right.status >= 300) return false
    const { status, body } = await send(WRONG, NOT_ITS_CRC32 >>> 0)
    if (status < 400 || status >= 500 || OF_OTHER_REASONS.has(status)) return false
    if (store.explain({ of: 'write', status, body }).facts.ofTheCaller) return false
    return await hasRightAlone({ store, key, uploadId, frame: right.frame, encrypted: created.encrypted, signal })
  } catch (error) {
    if (signal?.aborted) throw error
    return false
  } finally {
    if (uploadId !== undefined) await end({ store, key, journal, emit }, uploadId)
  }
}

/** @param {Pick<Parameters<typeof seeWhetherItChecks>[0], 'store' | 'key' | 'journal' | 'ours' | 'emit' | 'signal'>} at */
async function begin({ store, key, journal, ours, emit, signal }) {
  const createdMs = store.now()
  let lost = false
  await journal.write({ type: 'creating', atMs: createdMs })
  const attributes = { metadata: { headers: {}, user: {} } }
  const onRetry = () => {
    lost = true
  }
  const created = await store.createUpload({ key, attributes, checksum: true }, { signal, onRetry })
  await journal.write({ type: 'left', upload: created.id })
  if (lost) {
    const known = [...ours, created.id]
    const destination = { store, key, text: String(store.facts.location) }
    await tellLost({ destination, run: { journal, emit } }, { createdMs, ours: known, signal }).catch(() => {})
  }
  await journal.write({ type: 'cleared' })
  return created
}

/**
 * @param {{ store: Store, key: string, uploadId: string, partNumber: number, sum: number, signal?: AbortSignal }} part sum: the
 *   CRC-32 to send behind the bytes
 * @returns {Promise<{ status: number, body: string, frame: Buffer }>} of the answer; frame: what was sent
 * @throws {XferError} STORE_ERROR where another attempt may tell
 */
async function sendPart({ store, key, uploadId, partNumber, sum, signal }) {
  const part = { key, uploadId, partNumber, bytes: BYTES.length, checksum: true }
  const { method, url, headers, trailer } = await store.partRequest(part)
  const frame = framed(sum, trailer)
  const answer = await ask(
    { method, url, headers, body: frame },
    { limitMs: PART_LIMIT_MS, signal, ca: store.ca },
  ).catch(cause => {
    throw new XferError('STORE_ERROR', { ...store.facts, status: 0, reason: cause.code }, { cause })
  })
  const { status, body } = answer
  if (status === 429 || (status >= 500 && status !== 501))
    throw new XferError('STORE_ERROR', { ...store.facts, status })
  return { status, body, frame }
}

/** @param {number} sum @param {string | undefined} trailer */
function framed(sum, trailer) {
  /** @type {Buffer[]} */
  const pieces = []
  const { write, end } = frameBody(BYTES.length, trailer)
  write({ write: piece => pieces.push(piece) > 0 }, BYTES)
  return Buffer.concat([...pieces, Buffer.from(end(sum))])
}

/**
 * Of the two parts the right one is there, without its framing, and the other one is not.
 *
 * @param {{ store: Store, key: string, uploadId: string, frame: Buffer, encrypted?: boolean, signal?: AbortSignal }} upload frame:
 *   what was sent for the right one
 */
async function hasRightAlone({ store, key, uploadId, frame, encrypted = false, signal }) {
  const { parts } = await store.listParts({ key, uploadId, most: 10 }, { signal })
  const [part, ...others] = parts
  if (part?.partNumber !== RIGHT || others.length > 0 || part.bytes !== BYTES.length) return false
  const md5OfFrame = createHash('md5').update(frame).digest('hex')
  return encrypted || unquoted(part.etag).toLowerCase() !== md5OfFrame
}

/** @param {Pick<Parameters<typeof seeWhetherItChecks>[0], 'store' | 'key' | 'journal' | 'emit'>} at @param {string} uploadId */
async function end({ store, key, journal, emit }, uploadId) {
  try {
    await abortUntilGone(store, key, uploadId, AbortSignal.timeout(ABORT_LIMIT_MS))
    await journal.write({ type: 'gone', upload: uploadId })
  } catch (cause) {
    emit(notice('PROBE_NOT_ABORTED', { uploadId, reason: asXferError(cause).message }))
  }
}

module.exports = { seeWhetherItChecks }
