'use strict'

/** What a destination says of the parts that it has: for parts of which nobody else knows. */

const { XferError } = require('./errors')

/** @typedef {import('./types').Store} Store */
/** @typedef {import('./types').TaskSuccess} TaskSuccess */
/** @typedef {{ store: Store, key: string, uploadId: string, signal?: AbortSignal }} Place */

/** Nobody watched it. */
const UNKNOWN_TIMING = { startedAtMs: 0, firstByteMs: 0, totalMs: 0 }
const PAGE = 1000

/**
 * Those of the parts that are there, whole, and with a checksum: an invocation whose answer was lost may have written
 * them. Without a checksum nothing tells what was written, so such a part is copied again.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html
 *
 * @param {Place} place
 * @param {import('./types').Part[]} parts
 * @returns {Promise<TaskSuccess[]>}
 */
async function findWritten(place, parts) {
  const expected = new Map(parts.map(part => [part.partNumber, part]))
  const numbers = [...expected.keys()]
  /** @type {TaskSuccess[]} */
  const written = []
  for await (const { partNumber, bytes, etag, crc32 } of listFrom(place, Math.min(...numbers), Math.max(...numbers))) {
    if (expected.get(partNumber)?.bytes !== bytes || crc32 === undefined) continue
    written.push({ partNumber, bytes, etag, crc32, timing: UNKNOWN_TIMING })
  }
  return written
}

/**
 * The outcomes with the ETags that their parts have now. A part that was written twice may have another ETag than its
 * first answer said, where ETags are no checksums (SSE-KMS), though its bytes are the same.
 *
 * @param {Place} place
 * @param {TaskSuccess[]} outcomes in the parts' order
 * @returns {Promise<TaskSuccess[] | undefined>} undefined where nothing is different, or a part is not what was sent
 */
async function refreshEtags(place, outcomes) {
  /** @type {Map<number, import('./types').StoredPart>} */
  const stored = new Map()
  for await (const part of listFrom(place, 1, outcomes.length)) stored.set(part.partNumber, part)
  let changed = false
  for (const { partNumber, bytes, crc32, etag } of outcomes) {
    const now = stored.get(partNumber)
    if (!now || now.bytes !== bytes) return undefined
    if (now.etag === etag) continue
    if (now.crc32 !== crc32) return undefined
    changed = true
  }
  return changed
    ? outcomes.map(outcome => ({ ...outcome, etag: stored.get(outcome.partNumber)?.etag ?? outcome.etag }))
    : undefined
}

/**
 * @param {Place} place
 * @param {number} first part number
 * @param {number} last
 */
async function* listFrom({ store, key, uploadId, signal }, first, last) {
  /** @type {string | undefined} */
  let marker = String(first - 1)
  while (marker !== undefined && Number(marker) < last) {
    const most = Math.min(PAGE, last - Number(marker))
    /** @type {{ parts: import('./types').StoredPart[], next?: string }} */
    const { parts, next } = await store.listParts({ key, uploadId, marker, most }, { signal })
    yield* parts
    if (next !== undefined && Number(next) <= Number(marker)) {
      throw new XferError('BAD_ANSWER', { ...store.facts, reason: 'its listing of parts does not move on' })
    }
    marker = next
  }
}

module.exports = { findWritten, refreshEtags }
