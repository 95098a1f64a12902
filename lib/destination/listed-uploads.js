'use strict'

/** Lists the multipart uploads of a container, also on stores with peculiar lists. */

const { XferError } = require('../errors')

/** @typedef {import('../types').Store} Store */
/** @typedef {import('../types').StoredUpload} StoredUpload */
/** @typedef {{ uploads: StoredUpload[], next?: { key: string, id?: string } }} Page */

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
  /** @type {Page['next']} */
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
 * @param {Page['next']} marker
 * @param {AbortSignal} [signal]
 * @returns {Promise<Page>}
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

module.exports = { listUploads, uploadsOf }
