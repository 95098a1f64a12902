'use strict'

/** How an object is divided: its part size (chunk) and its parts. The size is the requested one, with `--chunk match` that of the source's parts, with `--chunk auto` a calculated one. */

const { XferError, asXferError } = require('../../errors')
const { notice } = require('../../notices')

const MiB = 1024 ** 2

/**
 * Every byte is in one part, the parts are in order, all but the last have `partBytes`, and neither their sizes nor
 * their number is outside the destination's limits. An object that fits into one part goes in one PUT if
 * `wholePut` allows it; an empty object always does.
 *
 * @param {{ bytes: number, chunkBytes: number, limits: import('../../types').PartLimits, wholePut: boolean }} object
 * @returns {import('../../types').Plan}
 * @throws {XferError} TOO_LARGE
 */
function planObject({ bytes, chunkBytes, limits, wholePut }) {
  const most = limits.maxParts * limits.maxBytes
  if (bytes > most) throw new XferError('TOO_LARGE', { bytes, most })
  /** @type {import('../../types').Notice[]} */
  const notices = []
  let partBytes = Math.min(Math.max(chunkBytes, limits.minBytes), limits.maxBytes)
  const bound = partBytes > chunkBytes ? 'smallest' : 'largest'
  if (partBytes !== chunkBytes) notices.push(notice('CHUNK_CHANGED', { partBytes, bound }))
  const wanted = Math.ceil(bytes / partBytes)
  if (wanted > limits.maxParts) {
    const least = Math.ceil(bytes / limits.maxParts)
    partBytes = Math.min(limits.maxBytes, Math.ceil(least / MiB) * MiB)
    notices.push(notice('CHUNK_CHANGED', { partBytes, parts: wanted, maxParts: limits.maxParts }))
  }
  const whole = bytes === 0 || (wholePut && bytes <= partBytes)
  return { route: whole ? 'put' : 'multipart', bytes, partBytes, parts: split(bytes, partBytes), notices }
}

/** @param {number} bytes @param {number} partBytes @returns {import('../../types').Part[]} one part, of 0 bytes, for an empty object */
function split(bytes, partBytes) {
  const count = Math.max(1, Math.ceil(bytes / partBytes))
  return Array.from({ length: count }, (_, index) => {
    const start = index * partBytes
    return { partNumber: index + 1, start, bytes: Math.min(partBytes, bytes - start) }
  })
}

/**
 * @typedef {object} Chunk
 * @property {number} bytes
 * @property {boolean} matched whether it is the size of the source's own parts
 * @property {import('../../types').Notice[]} notices
 * @property {string} [why] why a calculated size was chosen, one sentence
 */

/**
 * Equal parts give the copy the source's ETag. Only the size of the first part is requested; whether all parts have it
 * shows when both ETags are known.
 *
 * @param {Pick<import('../../job/open').Job, 'source' | 'destination' | 'engine' | 'settings' | 'run'>} job
 * @param {import('../../types').ObjectHead} object
 * @param {() => Promise<import('../../types').EngineLimits>} askLimits requests the engine's limits, if they are needed
 * @returns {Promise<Chunk>}
 */
async function chooseChunk(job, object, askLimits) {
  const { settings } = job
  const usual = { bytes: settings.chunkBytes, matched: false }
  if (settings.autoChunk) return await weigh(job, object, await askLimits())
  if (!settings.matchChunk) return { ...usual, notices: [] }
  const found = await askPartSize(job)
  if (!found || found.bytes === 0) return { ...usual, notices: [notice('CHUNK_CHANGED', { why: 'unknown' })] }
  const { bytes, parts } = found
  const uneven = parts !== Math.ceil(object.bytes / bytes)
  // A single part stays one part with any larger size.
  const size = parts === 1 ? Math.max(bytes, usual.bytes) : bytes
  return { bytes: size, matched: true, notices: uneven ? [notice('CHUNK_CHANGED', { uneven: true, parts })] : [] }
}

/**
 * @param {Pick<import('../../job/open').Job, 'source' | 'run'>} job
 * @returns {Promise<{ bytes: number, parts: number } | undefined>} undefined when the store does not report it
 */
async function askPartSize({ source, run: { cancel: signal } }) {
  return await source.store.partSize?.(source.key, { signal, versionId: source.versionId }).catch(cause => {
    const error = asXferError(cause)
    // The store does not support the request; any other problem will show later.
    if (signal?.aborted || error.code !== 'STORE_REFUSED') throw error
    return undefined
  })
}

/**
 * @param {Pick<import('../../job/open').Job, 'source' | 'destination' | 'engine' | 'settings' | 'run'>} job
 * @param {import('../../types').ObjectHead} object
 * @param {import('../../types').EngineLimits} allowed
 * @returns {Promise<Chunk>}
 */
async function weigh(job, { bytes, etag, encrypted }, allowed) {
  const { chooseAuto, isWorthAsking } = require('./chunk-auto')
  const { destination, engine, settings } = job
  // An engine that adapts its concurrency starts with few and soon doubles it.
  const most = engine.startWith === undefined ? allowed.concurrent : 2 * engine.startWith
  const situation = {
    bytes,
    limits: destination.store.limits,
    partBytes: engine.partBytes,
    lanes: Math.min(settings.concurrency, allowed.concurrent, most),
    allowed,
  }
  // Equal parts give an equal ETag where ETags are made of MD5s.
  const comparable = !encrypted && destination.store.can.partTag === 'md5'
  const source = comparable && isWorthAsking(etag, situation) ? await askPartSize(job) : undefined
  const { bytes: chosen, why } = chooseAuto({ ...situation, source })
  return { bytes: chosen, matched: false, notices: [], why }
}

/**
 * Judges `--chunk match` when both ETags are known.
 *
 * @param {Chunk} chunk
 * @param {import('../../types').Proof[]} proof
 * @returns {import('../../types').Notice | undefined} set when equal parts did not give an equal ETag
 */
function judgeMatch({ matched, notices }, proof) {
  if (!matched || notices.length > 0 || proof.includes('source-etag')) return undefined
  return notice('CHUNK_CHANGED', { why: 'unequal' })
}

module.exports = { askPartSize, chooseChunk, judgeMatch, planObject }
