'use strict'

/** How an object is divided: its part size (chunk) and its parts. The size is the requested one, with `--chunk match` that of the source's parts, with `--chunk auto` a calculated one. */

const { XferError, asXferError, usage } = require('../errors')
const { partsOfEtag } = require('../integrity')
const { notice } = require('../notices')
const { rangesOf } = require('../verify')

const MiB = 1024 ** 2

/**
 * Every byte is in one part, the parts are in order, all but the last have `partBytes`, and neither their sizes nor
 * their number is outside the destination's limits. An object that fits into one part goes in one PUT if
 * `wholePut` allows it; an empty object always does.
 *
 * @param {{ bytes: number, chunkBytes: number, limits: import('../types').PartLimits, wholePut: boolean }} object
 * @returns {import('../types').Plan}
 * @throws {XferError} TOO_LARGE; USAGE if a destination without uploads is to be written by an engine that cannot cancel
 */
function planObject({ bytes, chunkBytes, limits, wholePut }) {
  const most = limits.maxParts * limits.maxBytes
  if (bytes > most) throw new XferError('TOO_LARGE', { bytes, most })
  if (limits.maxParts === 1) {
    const text = 'The destination takes each object in one request, which the functions of this engine cannot cancel.'
    if (!wholePut) throw usage(text, 'Use --engine local.')
    return { route: 'put', bytes, partBytes: Math.max(bytes, 1), parts: rangesOf(bytes, most, 1), notices: [] }
  }
  /** @type {import('../types').Notice[]} */
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
  const parts = rangesOf(bytes, partBytes, limits.maxParts)
  return { route: whole ? 'put' : 'multipart', bytes, partBytes, parts, notices }
}

/**
 * One request or parts? Whether an engine is given the object in parts: below a prefix this decides before anything is asked. What
 * a store copies by itself in one request is another question, `copiesWhole`.
 *
 * @param {{ bytes: number, etag: string }} object
 * @param {Pick<import('../job/open').Context['settings'], 'chunkBytes' | 'matchChunk'>} settings
 */
function needsParts({ bytes, etag }, { chunkBytes, matchChunk }) {
  return bytes > chunkBytes || (matchChunk && bytes > 0 && partsOfEtag(etag) !== undefined)
}

/**
 * @typedef {object} PlannedChunk
 * @property {number} bytes
 * @property {boolean} matched whether it is the size of the source's own parts
 * @property {import('../types').Notice[]} notices
 * @property {string} [why] why a calculated size was chosen, one sentence
 */

/**
 * @param {Pick<import('../job/open').Job, 'source' | 'destination' | 'engine' | 'settings' | 'run'>} job
 * @param {import('../types').ObjectHead} object
 * @param {() => Promise<import('../types').EngineLimits>} askLimits requests the engine's limits, if they are needed
 * @returns {Promise<PlannedChunk>}
 */
async function chooseChunk(job, object, askLimits) {
  return job.settings.autoChunk ? await weigh(job, object, await askLimits()) : await chooseGivenChunk(job, object)
}

/**
 * The size that the user wants. Equal parts give the copy the source's ETag. Only the size of the first part is requested; whether all parts have it
 * shows when both ETags are known.
 *
 * @param {Pick<import('../job/open').Job, 'source' | 'settings' | 'run'>} job
 * @param {{ bytes: number }} object
 * @returns {Promise<PlannedChunk>}
 */
async function chooseGivenChunk(job, object) {
  const { settings } = job
  const usual = { bytes: settings.chunkBytes, matched: false }
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
 * @param {Pick<import('../job/open').Job, 'source' | 'run'>} job
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
 * @param {Pick<import('../job/open').Job, 'source' | 'destination' | 'engine' | 'settings' | 'run'>} job
 * @param {import('../types').ObjectHead} object
 * @param {import('../types').EngineLimits} allowed
 * @returns {Promise<PlannedChunk>}
 */
async function weigh(job, { bytes, etag, encrypted }, allowed) {
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
 * `--chunk auto`. Its assumptions about functions and stores were measured or are conservative guesses, and all of them stand
 * here.
 *
 * Larger parts cost less, because each part has a fixed cost of an invocation and two requests. Smaller parts lose less
 * when one fails, keep all concurrent invocations busy to the end, and fit into the time limit of a function. Memory does
 * not matter: a part is never held in memory.
 */

/** Parts for each concurrent invocation, so that the last ones, which leave others idle, are a small share. */
const PARTS_A_LANE = 4
/** A slow function moves this many bytes a second, and should finish in a third of its time limit. */
const SLOW = 8 * MiB
const SHARE_OF_TIME = 1 / 3
/** The largest part size that is taken over from the source: larger parts would cost too much when one fails. */
const LARGEST_OF_SOURCE = 512 * MiB

/**
 * @typedef {object} Situation
 * @property {number} bytes of the object
 * @property {import('../types').PartLimits} limits of the destination
 * @property {import('../types').Engine['partBytes']} partBytes of the engine: at its usual size a part's fixed cost is a twentieth
 *   of its time, at 100 MB a second, and at the least size a quarter
 * @property {number} lanes invocations at once
 * @property {Pick<import('../types').EngineLimits, 'timeoutMs' | 'answerMs'>} allowed
 * @property {{ bytes: number, parts: number }} [source] the size of its first part, and their number, where they are known
 *
 * @typedef {{ bytes: number, why: string }} Choice why: one sentence for people
 */

/**
 * @param {Situation} situation
 * @returns {Choice} bytes: between the least and the largest part of the destination, and of as many parts as it takes
 */
function chooseAuto(situation) {
  const { bytes, limits, partBytes, lanes, source } = situation
  const least = Math.min(limits.maxBytes, Math.max(limits.minBytes, wholeMib(bytes / limits.maxParts)))
  const inTime = timeBytes(situation)
  const fits =
    source && source.bytes >= Math.max(least, partBytes.least / 2) && source.bytes <= Math.min(inTime, limits.maxBytes)
  if (source && fits && source.bytes <= LARGEST_OF_SOURCE && source.parts === Math.ceil(bytes / source.bytes)) {
    return choice(source.bytes, "is that of the source's own parts, which gives the copy the same ETag")
  }
  const byLanes = wholeMib(bytes / (lanes * PARTS_A_LANE))
  /** Upper bounds. @type {Choice[]} */
  const caps = [
    byLanes < partBytes.least
      ? { bytes: partBytes.least, why: 'is the smallest that costs less to start than to copy' }
      : { bytes: byLanes, why: `gives each of ${lanes} at once ${PARTS_A_LANE} parts` },
    { bytes: inTime, why: "is copied well within a function's time limit, even by a slow function" },
    { bytes: limits.maxBytes, why: 'is the largest part size that the destination accepts' },
  ]
  let chosen = { bytes: partBytes.usual, why: 'costs little to start, and little to copy again' }
  for (const cap of caps) if (cap.bytes < chosen.bytes) chosen = cap
  if (least <= chosen.bytes) return choice(chosen.bytes, chosen.why)
  const why =
    least === limits.minBytes
      ? 'is the smallest part size that the destination accepts'
      : `is needed to stay within the ${limits.maxParts.toLocaleString('en-US')} parts that the destination accepts`
  return choice(least, why)
}

/**
 * Whether to ask for the source's own part size: the source was uploaded in parts, and their number shows that their size
 * may be usable.
 *
 * @param {string} etag of the source
 * @param {Situation} situation
 */
function isWorthAsking(etag, situation) {
  const parts = partsOfEtag(etag) ?? 1
  if (parts < 2) return false
  const { bytes, limits, partBytes } = situation
  // With this number of parts, each but the last has at least `smallest` bytes and less than `largest`.
  const [smallest, largest] = [Math.ceil(bytes / parts), bytes / (parts - 1)]
  const most = Math.min(timeBytes(situation), limits.maxBytes, LARGEST_OF_SOURCE)
  return parts <= limits.maxParts && largest > Math.max(limits.minBytes, partBytes.least / 2) && smallest <= most
}

/** @param {Situation} situation the most that a slow function copies in its share of the time */
function timeBytes({ allowed: { timeoutMs, answerMs }, limits }) {
  const ms = Math.min(timeoutMs, answerMs) * SHARE_OF_TIME
  const most = (ms / 1000) * SLOW
  return Number.isFinite(most) ? Math.max(limits.minBytes, Math.floor(most / MiB) * MiB) : Number.POSITIVE_INFINITY
}

/** @param {number} bytes @param {string} why @returns {Choice} */
function choice(bytes, why) {
  return { bytes, why: `A chunk of ${Number((bytes / MiB).toFixed(2)).toLocaleString('en-US')} MiB ${why}.` }
}

/** @param {number} bytes */
function wholeMib(bytes) {
  return Math.max(1, Math.ceil(bytes / MiB)) * MiB
}

/**
 * Judges `--chunk match` when both ETags are known.
 *
 * @param {PlannedChunk} chunk
 * @param {import('../types').Proof[]} proof
 * @returns {import('../types').Notice | undefined} set when equal parts did not give an equal ETag
 */
function judgeMatch({ matched, notices }, proof) {
  if (!matched || notices.length > 0 || proof.includes('source-etag')) return undefined
  return notice('CHUNK_CHANGED', { why: 'unequal' })
}

/** The way through the engine. @param {Pick<import('../job/open').Job, 'engine' | 'why'>} job @returns {import('./copy').CopyWay} */
function engineWay({ engine, why }) {
  return { engine, why, chooseChunk }
}

module.exports = {
  askPartSize,
  chooseAuto,
  chooseChunk,
  chooseGivenChunk,
  engineWay,
  judgeMatch,
  needsParts,
  planObject,
}
