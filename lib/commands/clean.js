'use strict'

/** Multipart uploads that were never completed or aborted: no listing of objects shows them, and their parts cost money. */

const { eachAtOnce, withHandler } = require('../async')
const { asXferError, throwIfAborted } = require('../errors')
const { openJournals } = require('../journal')
const { identify, parsePlace, placeText } = require('../stores')
const { abortUpload, openDestination, ownersOf } = require('../job')
const { checkArguments, readerOf } = require('../options')
const { lapseOf, listUploads } = require('../destination')

/** @typedef {import('../types').CleanedUpload} CleanedUpload */
/** @typedef {import('../types').Store} Store */
/** @typedef {import('../types').StoredUpload} StoredUpload */

/** Concurrent aborts. */
const AT_ONCE = 8

/**
 * Lists the multipart uploads of a bucket or a prefix that are older than `olderThan`. With `yes` it aborts them until no
 * part is left, except uploads of this user's jobs on this machine, and uploads whose age the store does not report. Uploads of a
 * store that cannot abort them are listed only.
 *
 * @param {string} destination `s3://bucket` or `s3://bucket/prefix`
 * @param {import('../types').CleanOptions} [options]
 * @returns {Promise<import('../types').Cleaned>}
 * @throws {import('../types').XferError} if some could not be aborted: the first error, after all were tried
 */
async function clean(destination, options = {}) {
  return await withHandler('onUpload', options, given => run(destination, given))
}

/** @type {typeof clean} */
async function run(destination, options = {}) {
  checkArguments('clean', { destination }, options)
  const { yes = false, env = process.env, signal, onUpload } = options
  const olderThanMs = readerOf('clean', options)('olderThan')
  const location = parsePlace(destination, 'destination')
  const { store, settings } = await openDestination(location, options.destination ?? {}, env)
  try {
    const { old, young } = await listOld(store, location.key, olderThanMs, signal)
    // The journals are read after the uploads were listed, so that they name the owner of every listed upload.
    const ownerOf = ownersOf(await openJournals({ env }).list(), key => identify({ ...location, key }, settings).id)
    /** @type {CleanedUpload[]} */
    const uploads = []
    /** @type {import('../types').XferError | undefined} */
    let failure
    /** @param {StoredUpload} found @returns {Promise<Pick<CleanedUpload, 'outcome' | 'job' | 'error'>>} */
    const outcomeOf = async found => {
      const job = ownerOf(found)
      if (job !== undefined) return { outcome: 'kept', job }
      if (!store.upload.abort) return { outcome: 'lapses' }
      if (found.initiatedMs === undefined) return { outcome: 'undated' }
      if (!yes) return { outcome: 'left' }
      throwIfAborted(signal)
      try {
        return { outcome: await abortUpload(store, { key: found.key, uploadId: found.id }, signal) }
      } catch (cause) {
        throwIfAborted(signal)
        const error = asXferError(cause)
        failure ??= error
        return { outcome: 'failed', error: { code: error.code, message: error.message } }
      }
    }
    await eachAtOnce(old, AT_ONCE, async found => {
      const { key, id: uploadId, initiatedMs } = found
      const upload = { location: placeText({ ...location, key }), key, uploadId }
      const cleaned = { ...upload, ...(initiatedMs !== undefined && { initiatedMs }), ...(await outcomeOf(found)) }
      uploads.push(cleaned)
      onUpload?.(cleaned)
    })
    if (failure) throw failure
    const lapse = store.upload.lapse && { lapse: lapseOf(store, {}) }
    return { location: placeText(location), olderThanMs, uploads, young, ...lapse }
  } finally {
    store.close()
  }
}

/**
 * Reads all pages before anything is aborted: an aborted upload cannot mark the end of a page.
 *
 * @param {Store} store
 * @param {string} prefix
 * @param {number} ageMs
 * @param {AbortSignal | undefined} signal
 */
async function listOld(store, prefix, ageMs, signal) {
  /** @type {StoredUpload[]} */
  const old = []
  let young = 0
  for await (const upload of listUploads(store, prefix, signal)) {
    if (upload.initiatedMs === undefined || store.now() - upload.initiatedMs > ageMs) old.push(upload)
    else young++
  }
  return { old, young }
}

module.exports = { clean }
