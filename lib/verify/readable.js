'use strict'

/**
 * Checks whether a copy could be read back, before it becomes visible, if only a read-back would prove it.
 */

const { XferError, asXferError, throwIfAborted } = require('../errors')
const { ask } = require('../http')
const { NO_ETAG } = require('../integrity')

/** @typedef {import('../types').WriteWork} WriteWork */

/** The limit for a request for one byte. */
const LIMIT_MS = 30_000

/**
 * Asks by a HEAD and by a GET of one byte, whether or not the object exists yet. Without permission to list the bucket, a
 * store refuses a missing object as if it existed: the copy then fails here, though it might be readable once it exists.
 *
 * @param {object} work
 * @param {{ destination: Pick<import('../job/open').Side, 'store' | 'key' | 'text'>, run: Pick<import('../job/open').Run, 'cancel'> }} work.job
 * @param {WriteWork['attributes']} work.attributes
 * @param {{ checked?: boolean }} upload checked: the copy is proved without a read-back, so a refusal may
 *   be found later
 * @throws {XferError} READ_BACK_REFUSED
 */
async function checkReadable({ job, attributes }, { checked = false }) {
  const { store, key, text: location } = job.destination
  const { cancel: signal } = job.run
  const { storageClass } = attributes
  if (store.archives?.(storageClass)) {
    const reason = `an object of the storage class ${storageClass} cannot be read`
    throw new XferError('READ_BACK_REFUSED', { location, reason })
  }
  // Who writes a file can read it.
  if (checked || store.can.reach === 'process') return
  let etag = NO_ETAG
  try {
    etag = (await store.head(key, { signal })).etag
  } catch (cause) {
    const error = asXferError(cause)
    throwIfAborted(signal)
    if (error.code === 'ACCESS_DENIED') {
      const { message: reason, hint: advice } = error
      throw new XferError('READ_BACK_REFUSED', { ...error.facts, location, reason, advice, unseen: true }, { cause })
    }
    // Any other error is not a refusal.
    if (error.code !== 'NO_SUCH_KEY') return
  }
  const { request } = await store.read({ key, etag, range: { start: 0, end: 0 } })
  const answer = await ask(request, { limitMs: LIMIT_MS, signal, ca: store.ca, proxy: store.proxy }).catch(
    () => undefined,
  )
  throwIfAborted(signal)
  if (answer?.status !== 403) return
  // An object that is there may be archived; the copy is not.
  if (store.explain({ of: 'read', status: 403, body: answer.body }).code === 'ARCHIVED') return
  const { message: reason, hint: advice, facts } = store.explain({ of: 'read', status: 403 })
  throw new XferError('READ_BACK_REFUSED', { ...facts, location, reason, advice })
}

module.exports = { checkReadable }
