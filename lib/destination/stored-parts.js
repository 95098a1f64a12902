'use strict'

/** Lists the parts that the destination has of an upload. */

const { XferError } = require('../errors')
const { hasCrc, sameCrcs } = require('../integrity')
const { byNumber, trustParts } = require('./reconcile')

/** @typedef {import('../types').Store} Store */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {{ store: Store, key: string, uploadId: string, signal?: AbortSignal }} Place */
/** @typedef {Parameters<Store['upload']['parts']>[0]['ranges']} Ranges */

const PAGE = 1000

/**
 * The parts that are at the destination and can be trusted. An earlier run of the job may have written them, or an
 * invocation whose answer was lost. https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html
 *
 * @param {Place} place
 * @param {import('../types').Part[]} parts
 * @param {Parameters<typeof trustParts>[1]} [journal] the journal's entries, by part number
 * @param {Parameters<typeof trustParts>[3]} [options]
 * @returns {Promise<TaskSuccess[]>}
 */
async function findWritten(place, parts, journal = new Map(), options = {}) {
  return trustParts(parts, journal, await listStored(place, parts), options)
}

/**
 * Lists all stored parts from the lowest to the highest number among `parts`.
 *
 * @param {Place} place
 * @param {Array<{ partNumber: number }>} parts
 * @param {Ranges} [ranges] where the known ones are: some stores do not keep that
 * @returns {Promise<import('../types').StoredPart[]>}
 */
async function listStored(place, parts, ranges) {
  const numbers = parts.map(({ partNumber }) => partNumber)
  const stored = []
  for await (const part of listFrom({ ...place, ranges }, Math.min(...numbers), Math.max(...numbers))) stored.push(part)
  return stored
}

/**
 * Updates the outcomes with the current ETags of their parts. If ETags are not checksums, a part that was written twice may
 * have another ETag than its first answer said, although its bytes are the same. For a part copied with `--verify none` only
 * the size is compared.
 *
 * @param {Place} place
 * @param {TaskSuccess[]} outcomes of parts 1 to n, in order
 * @returns {Promise<TaskSuccess[] | undefined>} undefined if nothing has changed, or if a part is not what was sent
 */
async function refreshEtags(place, outcomes) {
  const stored = await listNow(place, outcomes)
  let changed = false
  for (const { partNumber, bytes, sums, etag } of outcomes) {
    const now = stored.get(partNumber)
    if (!now || now.bytes !== bytes) return undefined
    if (now.etag === etag) continue
    if (hasCrc(sums) && !sameCrcs(now.sums, sums)) return undefined
    changed = true
  }
  return changed
    ? outcomes.map(outcome => ({ ...outcome, etag: stored.get(outcome.partNumber)?.etag ?? outcome.etag }))
    : undefined
}

/**
 * What the store has now of these parts, by number: see `byNumber`.
 *
 * @param {Place} place
 * @param {TaskSuccess[]} outcomes
 */
async function listNow(place, outcomes) {
  const known = new Map(outcomes.map(outcome => [outcome.partNumber, outcome]))
  return byNumber(await listStored(place, outcomes), known)
}

/**
 * @param {Place & { ranges?: Ranges }} place
 * @param {number} first part number
 * @param {number} last
 */
async function* listFrom({ store, key, uploadId, ranges, signal }, first, last) {
  /** @type {string | undefined} */
  let marker = String(first - 1)
  while (marker !== undefined && Number(marker) < last) {
    const most = Math.min(PAGE, last - Number(marker))
    /** @type {{ parts: import('../types').StoredPart[], next?: string }} */
    const { parts, next } = await store.upload.parts({ key, uploadId, marker, most, ranges }, { signal })
    yield* parts
    if (next !== undefined && Number(next) <= Number(marker)) {
      throw new XferError('BAD_ANSWER', { ...store.facts, reason: 'its listing of parts does not move on' })
    }
    marker = next
  }
}

module.exports = { findWritten, listNow, listStored, refreshEtags }
