'use strict'

/** What the destination lists: multipart uploads, also on stores with peculiar lists, and the parts of one, and which of them to trust. */

const { XferError } = require('../errors')
const { UNKNOWN_TIMING } = require('./conditions')
const { hasCrc, sameCrcs, compareSums, sameEtag } = require('../integrity')

/** @typedef {import('../types').Store} Store */
/** @typedef {import('../types').StoredUpload} StoredUpload */
/** @typedef {{ uploads: StoredUpload[], next?: { key: string, id?: string } }} UploadPage */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {{ store: Store, key: string, uploadId: string, signal?: AbortSignal }} UploadPlace */
/** @typedef {Parameters<Store['upload']['parts']>[0]['ranges']} Ranges */

/**
 * Yields every upload below a prefix, once.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html
 *
 * @param {Store} store
 * @param {string} prefix of keys
 * @param {AbortSignal} [signal]
 * @throws {import('../types').XferError}
 */
async function* listUploads(store, prefix, signal) {
  let found = false
  for await (const upload of listPages(store, prefix, signal)) {
    // Some stores ignore the prefix.
    if (!upload.key.startsWith(prefix)) continue
    found = true
    yield upload
  }
  if (found || prefix === '' || store.can.listsUploadsByPrefix) return
  // Some stores (MinIO) list the uploads of an exact key or of the whole container, but none for a partial key.
  try {
    for await (const upload of listPages(store, '', signal)) if (upload.key.startsWith(prefix)) yield upload
  } catch (error) {
    // These credentials may list only that prefix, which had no uploads.
    if (/** @type {import('../types').XferError} */ (error).code !== 'ACCESS_DENIED') throw error
  }
}

/**
 * @param {Store} store
 * @param {string} prefix
 * @param {AbortSignal} [signal]
 * @param {{ exact?: boolean }} [how] exact: the prefix is a key, and longer ones, which follow it in order, are not of interest
 */
async function* listPages(store, prefix, signal, { exact = false } = {}) {
  /** Some stores list an upload twice, on two pages. @type {Set<string>} */
  const seen = new Set()
  /** @type {UploadPage['next']} */
  let marker
  do {
    const { uploads, next: after } = await askPage(store, prefix, marker, signal)
    const fresh = uploads.filter(({ key, id }) => !seen.has(`${id} ${key}`))
    const next = exact && (after?.key !== prefix || fresh.length === 0) ? undefined : after
    if (next !== undefined && fresh.length === 0) {
      throw new XferError('BAD_ANSWER', { ...store.facts, reason: 'its listing of uploads does not move on' })
    }
    for (const { key, id } of fresh) seen.add(`${id} ${key}`)
    yield* fresh
    marker = next
  } while (marker !== undefined)
}

/**
 * @param {Store} store
 * @param {string} prefix
 * @param {UploadPage['next']} marker
 * @param {AbortSignal} [signal]
 * @returns {Promise<UploadPage>}
 */
async function askPage(store, prefix, marker, signal) {
  const options = { signal }
  try {
    return await store.upload.pending({ prefix, marker }, options)
  } catch (cause) {
    const error = /** @type {import('../types').XferError} */ (cause)
    if (error.code !== 'STORE_REFUSED' || marker?.id === undefined) throw explainRefusal(error)
    // versitygw refuses the upload id that it returned as a marker. The key alone as a marker could skip uploads of that key.
    const { key } = marker
    const lists = [{ prefix: key }, { prefix, marker: { key } }].map(list => store.upload.pending(list, options))
    const [same, rest] = await Promise.all(lists)
    return { uploads: [...same.uploads, ...rest.uploads], next: rest.next }
  }
}

/** @param {import('../types').XferError} error @returns {import('../types').XferError} */
function explainRefusal(error) {
  const { code, facts } = error
  if (code === 'ACCESS_DENIED') {
    const advice = `The credentials need ${facts.needsToClear}.`
    return new XferError(code, { ...facts, advice }, { cause: error })
  }
  if (code === 'STORE_REFUSED' || facts.noSuchKey) {
    const reason = `it does not list the multipart uploads of a ${facts.terms?.container ?? 'container'}`
    return new XferError('STORE_REFUSED', { ...facts, reason }, { cause: error })
  }
  return error
}

/**
 * Lists the uploads of one key, all pages.
 *
 * @param {{ store: Store, key: string, signal?: AbortSignal }} place
 */
async function uploadsOf({ store, key, signal }) {
  const found = []
  for await (const upload of listPages(store, key, signal, { exact: true })) if (upload.key === key) found.push(upload)
  return found
}

const PAGE = 1000

/**
 * Lists all stored parts from the lowest to the highest number among `parts`.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html
 *
 * @param {UploadPlace} place
 * @param {Array<{ partNumber: number }>} [parts] all when absent
 * @param {Ranges} [ranges] where the known ones are: some stores do not keep that
 * @returns {Promise<import('../types').StoredPart[]>}
 */
async function listStored({ store, key, uploadId, signal }, parts, ranges) {
  const numbers = parts?.map(({ partNumber }) => partNumber) ?? [1, Number.POSITIVE_INFINITY]
  const last = Math.max(...numbers)
  const stored = []
  /** @type {string | undefined} */
  let marker = String(Math.min(...numbers) - 1)
  while (marker !== undefined && Number(marker) < last) {
    const most = Math.min(PAGE, last - Number(marker))
    /** @type {{ parts: import('../types').StoredPart[], next?: string }} */
    const { parts: page, next } = await store.upload.parts({ key, uploadId, marker, most, ranges }, { signal })
    stored.push(...page)
    if (next !== undefined && Number(next) <= Number(marker)) {
      throw new XferError('BAD_ANSWER', { ...store.facts, reason: 'its listing of parts does not move on' })
    }
    marker = next
  }
  return stored
}

/**
 * Updates the outcomes with the current ETags of their parts. If ETags are not checksums, a part that was written twice may
 * have another ETag than its first answer said, although its bytes are the same. For a part copied with `--verify none` only
 * the size is compared.
 *
 * @param {UploadPlace} place
 * @param {TaskSuccess[]} outcomes of parts 1 to n, in order
 * @returns {Promise<TaskSuccess[] | undefined>} undefined if nothing has changed, or if a part is not what was sent
 */
async function refreshEtags(place, outcomes) {
  const { now, changed, lost, there } = await listNow(place, outcomes)
  const same = changed.every(({ partNumber, sums }) => !hasCrc(sums) || sameCrcs(there.get(partNumber)?.sums, sums))
  return changed.length > 0 && lost.length === 0 && same ? now : undefined
}

/**
 * The outcomes with the ETags that the store lists now.
 *
 * @param {UploadPlace} place
 * @param {TaskSuccess[]} outcomes in order
 * @returns {Promise<{ now: TaskSuccess[], changed: TaskSuccess[], lost: TaskSuccess[], there: ReturnType<typeof byNumber> }>}
 *   changed: those with another ETag than before; lost: parts that are missing there or have another size; there: as listed
 */
async function listNow(place, outcomes) {
  const known = new Map(outcomes.map(outcome => [outcome.partNumber, outcome]))
  const there = byNumber(await listStored(place, outcomes), known)
  const now = outcomes.map(outcome => {
    const etag = there.get(outcome.partNumber)?.etag
    if (etag === undefined || etag === outcome.etag) return outcome
    // The answer was about other bytes, or about the same ones that were written twice.
    const { answered, ...changed } = { ...outcome, etag }
    return changed
  })
  const changed = now.filter((outcome, i) => outcome !== outcomes[i])
  return { now, changed, lost: now.filter(({ partNumber, bytes }) => there.get(partNumber)?.bytes !== bytes), there }
}

/**
 * If the store is known to check checksums, a part is trusted when the store lists it with the planned size and the
 * journal's ETag. With another ETag, or without an entry in the journal, it is trusted only when the store lists its
 * checksum: the store compared it with the bytes when they arrived, the function computed it from the pinned source, and
 * nobody else knows the upload id. A part whose checksum differs from the journal's is never trusted.
 *
 * At any other store the listed checksum may only echo what was sent. There a part is trusted with the ETag and the checksum of
 * the journal. Whether its ETag is its MD5 is judged later, for all parts together; what that does not prove is read back.
 *
 * A part copied with `--verify none` or `size` has no checksum in the journal: it is trusted only if none is wanted. A part
 * copied by the store itself may have none either: there the ETag suffices, as it does without an interruption.
 *
 * @param {import('../types').Part[]} parts of the plan
 * @param {Map<number, Omit<import('../types').JobPart, 'partNumber'>>} journal the journal's entries, by part number
 * @param {import('../types').StoredPart[]} stored all listed parts
 * @param {{ unproved?: boolean, checked?: boolean }} [options] unproved: whether a part without a known checksum is
 *   trusted; checked: whether the store is known to check the checksums of parts
 * @returns {TaskSuccess[]} the trusted parts, in the plan's order
 */
function trustParts(parts, journal, stored, { unproved = false, checked = false } = {}) {
  const there = byNumber(stored, journal)
  /** @type {TaskSuccess[]} */
  const trusted = []
  for (const { partNumber, bytes } of parts) {
    const found = there.get(partNumber)
    if (!found || found.bytes !== bytes) continue
    const known = journal.get(partNumber)
    const agrees = known !== undefined && known.bytes === bytes && sameEtag(known.etag, found.etag)
    if (compareSums(known?.sums, found.sums).differs) continue
    const sums = { ...(checked && found.sums), ...(agrees && known.sums) }
    if (!hasCrc(sums) && !(agrees && (unproved || known.server))) continue
    const { answered } = agrees ? known : {}
    trusted.push({ partNumber, bytes, etag: found.etag, sums, ...(answered && { answered }), timing: UNKNOWN_TIMING })
  }
  return trusted
}

/**
 * What the store has of each part. If it lists what several attempts wrote, that is what has the known ETag, else the last.
 *
 * @param {import('../types').StoredPart[]} stored
 * @param {Map<number, { etag: string }>} known by part number
 * @returns {Map<number, import('../types').StoredPart>}
 */
function byNumber(stored, known) {
  /** @type {Map<number, import('../types').StoredPart>} */
  const there = new Map()
  for (const part of stored) {
    const before = there.get(part.partNumber)
    const etag = known.get(part.partNumber)?.etag
    const isKnown = before !== undefined && etag !== undefined && sameEtag(before.etag, etag)
    if (!isKnown) there.set(part.partNumber, part)
  }
  return there
}

module.exports = { listUploads, uploadsOf, listNow, listStored, refreshEtags, trustParts }
