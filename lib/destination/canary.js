'use strict'

/**
 * Whether the destination is known to check the CRC-32 sent with the bytes. If it does, an accepted write proves the bytes, and
 * no verification read is needed. For a PUT only stores known by host or server name are trusted. A trial PUT is not possible:
 * it would create a version or an event, or meet a lock. For parts of uploads a trial is made, once per job: the canary.
 */

const { unquoted } = require('../integrity')
const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const { askStore } = require('../http')
const { repeat } = require('../async')
const { FRAMINGS } = require('../../actions/copy-range/dialects')

/** @typedef {ReturnType<typeof createTrust>} Trust */
/** @typedef {Pick<import('../types').JobJournal, 'write'>} CanaryJournal */
/** @typedef {import('../types').Store} Store */

/**
 * @param {import('../types').Store} store of the destination, after its first answer
 * @param {{ retries?: number, emit?: (event: import('../types').Notice) => void }} [how] retries: for each request of the trial
 */
function createTrust(store, { retries = 0, emit = () => {} } = {}) {
  /** @type {Promise<boolean> | undefined} */
  let asked
  /** The request for its name. @type {Promise<unknown> | undefined} */
  let asking
  const trust = {
    /** Whether its server has told its name, or need not: that stays so, and `known` needs to be asked no more. */
    isNamed: false,
    known,
    put,
    part,
  }

  /**
   * As `put`, but works before the destination has answered: makes one request per job, and none if the host is known.
   * Every answer has the server's name, whether it succeeds or not.
   *
   * @param {{ prefix: string, signal?: AbortSignal }} place
   * @returns {Promise<boolean>}
   */
  async function known({ prefix, signal }) {
    trust.isNamed ||= store.named?.() !== false
    if (!trust.isNamed) {
      asking ??= Promise.resolve(store.list?.({ prefix, most: 1 }, { signal })).catch(error => {
        if (signal?.aborted) throw error
      })
      await asking
    }
    return put()
  }

  /** Whether the store is known to refuse a PUT of an object that does not fit the CRC-32 sent with it, with or without a Content-Encoding. */
  function put() {
    return store.can.sums.checked.includes('crc32')
  }

  /**
   * Whether the store checks parts of uploads. For an unknown store a small upload is created, tried and aborted: see
   * `probeChecking`. Concurrent callers wait for the same trial.
   *
   * @param {{ key: string, journal?: CanaryJournal, signal?: AbortSignal }} place key: of an object that will be
   *   written; journal: of its copy
   * @returns {Promise<boolean>}
   */
  async function part({ key, journal, signal }) {
    if (await known({ prefix: key, signal })) return true
    asked ??= probeChecking({ store, key, journal, retries, emit, signal })
    return await asked
  }

  return trust
}

const BYTES = Buffer.from('Does this store check?\n')
const RIGHT_SUMS = { crc32: hexOf(crc32(BYTES)) }
const WRONG_SUMS = { crc32: hexOf((crc32(BYTES) ^ 0xffffffff) >>> 0) }
const RIGHT = 1
const WRONG = 2
/** Statuses of refusals that have another reason than the checksum. */
const OTHER_REASONS = new Set([401, 403, 404, 408, 409, 411, 412, 413, 416, 423, 429])

/**
 * @param {object} at
 * @param {Store} at.store control calls are retried
 * @param {string} at.key of the copy
 * @param {CanaryJournal} [at.journal]
 * @param {number} at.retries for a part that could not be sent
 * @param {(event: import('../types').Notice) => void} at.emit
 * @param {AbortSignal} [at.signal]
 * @returns {Promise<boolean>} false also if it is uncertain whether the store checks
 * @throws {XferError} only the signal's reason
 */
async function probeChecking({ store, key: beside, journal, retries, emit, signal }) {
  // Loaded on use: most stores are known.
  const { keyOfUpload, tryUpload } = require('./uploads')
  const key = keyOfUpload(beside, { canary: true })
  const how = { store, key, checksum: true, journal, emit, signal }
  try {
    return await tryUpload(how, created => refusesWrongSum({ store, key, retries, signal }, created))
  } catch (error) {
    if (signal?.aborted) throw error
    return false
  }
}

/**
 * Sends a part with the right CRC-32 and one with a wrong one.
 *
 * @param {{ store: Store, key: string, retries: number, signal?: AbortSignal }} at
 * @param {Awaited<ReturnType<Store['upload']['create']>>} upload
 */
async function refusesWrongSum({ store, key, retries, signal }, { id: uploadId, checksums, encrypted }) {
  if (!checksums) return false
  const send = async (/** @type {number} */ partNumber, /** @type {import('../types').Sums} */ sums) => {
    const part = { key, uploadId, partNumber, bytes: BYTES.length, checksum: true }
    const { request } = await store.upload.part(part)
    const frame = frameOf(request, BYTES, sums) ?? BYTES
    const { status, body } = await askStore(store, request, { body: frame, signal })
    const error = status < 300 ? undefined : store.explain({ of: 'write', status, body })
    if (status === 429 || status >= 500) throw error
    return { status, error, frame }
  }
  const right = await repeat(() => send(RIGHT, RIGHT_SUMS), { retries, signal })
  if (right.error) return false
  const { status, error } = await repeat(() => send(WRONG, WRONG_SUMS), { retries, signal })
  if (!error || status < 400 || OTHER_REASONS.has(status) || error.facts.ofTheCaller) return false
  return await hasOnlyRightPart({ store, key, uploadId, frame: right.frame, encrypted, signal })
}

/** @param {number} crc32 unsigned */
function hexOf(crc32) {
  return crc32.toString(16).padStart(8, '0')
}

/**
 * The body of a write that carries its checksum, as a function sends it.
 *
 * @param {Pick<import('../types').DataRequest, 'framing'>} request
 * @param {Buffer} bytes
 * @param {import('../types').Sums} sums to send
 * @returns {Buffer | undefined} undefined if the request carries no checksum in its body
 */
function frameOf({ framing }, bytes, sums) {
  if (framing === undefined) return undefined
  const { write, end } = FRAMINGS[framing.type].frameBody(bytes.length, framing)
  /** @type {Buffer[]} */
  const pieces = []
  write({ write: piece => pieces.push(piece) > 0 }, bytes)
  return Buffer.concat([...pieces, Buffer.from(end(sums))])
}

/**
 * Whether the upload has the part with the right CRC-32, stored without its framing, and not the other part.
 *
 * @param {{ store: Store, key: string, uploadId: string, frame: Buffer, encrypted?: boolean, signal?: AbortSignal }} upload frame:
 *   the bytes sent for the right part
 */
async function hasOnlyRightPart({ store, key, uploadId, frame, encrypted = false, signal }) {
  const { parts } = await store.upload.parts({ key, uploadId, most: 10 }, { signal })
  const [part, ...others] = parts
  if (part?.partNumber !== RIGHT || others.length > 0 || part.bytes !== BYTES.length) return false
  const md5OfFrame = createHash('md5').update(frame).digest('hex')
  return encrypted || unquoted(part.etag).toLowerCase() !== md5OfFrame
}

module.exports = { createTrust, frameOf }
