'use strict'

/** The size of the parts: what was asked for, with `--chunk match` that of the source's own, with `--chunk auto` a good one. */

const { chooseAuto, isWorthAsking } = require('./chunk-auto')
const { asXferError } = require('../../errors')
const { notice } = require('../../notices')

/**
 * @typedef {object} Chunk
 * @property {number} bytes
 * @property {boolean} matched whether it is that of the source's own parts
 * @property {import('../../types').Notice[]} notices
 * @property {string} [why] of a size that was chosen, one sentence
 */

/**
 * Equal parts give the destination the ETag that the source has. Only the first part's size is asked for: that all have
 * it shows when both ETags are there.
 *
 * @param {Pick<import('../../job/open').Job, 'source' | 'destination' | 'engine' | 'settings' | 'run'>} job
 * @param {import('../../types').ObjectHead} object
 * @param {() => Promise<import('../../types').EngineLimits>} askLimits of the engine, for who needs them
 * @returns {Promise<Chunk>}
 */
async function chooseChunk(job, object, askLimits) {
  const { settings } = job
  const usual = { bytes: settings.chunkBytes, matched: false }
  if (settings.autoChunk) return await weigh(job, object, await askLimits())
  if (!settings.matchChunk) return { ...usual, notices: [] }
  const found = await askPartSize(job)
  if (!found || found.bytes === 0) return { ...usual, notices: [notice('CHUNK_NOT_MATCHED')] }
  const { bytes, parts } = found
  const uneven = parts !== Math.ceil(object.bytes / bytes)
  // One part is one part, however much more would go into it.
  const size = parts === 1 ? Math.max(bytes, usual.bytes) : bytes
  return { bytes: size, matched: true, notices: uneven ? [notice('SOURCE_PARTS_UNEVEN', { parts })] : [] }
}

/**
 * @param {Pick<import('../../job/open').Job, 'source' | 'run'>} job
 * @returns {Promise<{ bytes: number, parts: number } | undefined>} undefined: the store does not tell
 */
async function askPartSize({ source, run: { cancel: signal } }) {
  return await source.store.partSize(source.key, { signal, versionId: source.versionId }).catch(cause => {
    const error = asXferError(cause)
    // A store that does not know the question; what else is wrong will show.
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
  const { destination, engine, settings } = job
  // An engine that finds out how many help begins with few, and doubles them soon.
  const most = allowed.startWith === undefined ? allowed.concurrent : 2 * allowed.startWith
  const situation = {
    bytes,
    limits: destination.store.limits,
    partBytes: engine.partBytes,
    lanes: Math.min(settings.concurrency, allowed.concurrent, most),
    allowed,
    partsPerInvocation: settings.partsPerInvocation,
  }
  const source = !encrypted && isWorthAsking(etag, situation) ? await askPartSize(job) : undefined
  const { bytes: chosen, why } = chooseAuto({ ...situation, source })
  return { bytes: chosen, matched: false, notices: [], why }
}

/**
 * Once both ETags are known.
 *
 * @param {Chunk} chunk
 * @param {import('../../types').Proof[]} proof
 * @returns {import('../../types').Notice | undefined} where the parts' size was matched in vain
 */
function judgeMatch({ matched, notices }, proof) {
  if (!matched || notices.length > 0 || proof.includes('source-etag')) return undefined
  return notice('ETAG_NOT_MATCHED')
}

module.exports = { chooseChunk, judgeMatch }
