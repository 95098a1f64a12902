'use strict'

/**
 * Uploads of large objects that an earlier run of the job started and this run has not come across: the object is gone from
 * the source, no longer chosen, or at the destination by now. Nobody will complete these uploads, so they are aborted.
 */

const { asXferError } = require('../errors')
const { abortUntilGone, reportLost, tellLapse, uploadsLeft } = require('../destination')
const { notice } = require('../notices')

/**
 * Aborts them; call it at the end, when nothing is in flight.
 *
 * @param {Pick<import('../job/open').Job, 'destination' | 'run'>} job of the prefix
 * @throws {import('../types').XferError} the store's error; the upload stays in the journal
 */
async function abortStaleUploads({
  destination: { store, key: prefix, text },
  run: { journal, cancel: signal, emit },
}) {
  for (const [name, object] of [...(journal.state.prefix?.objects ?? [])]) {
    const { creatingMs, parts } = object
    const key = prefix + name
    for (const of of uploadsLeft(key, object)) {
      const outcome = await abortUntilGone(store, of.key, of.uploadId, signal).catch(error => {
        // Without permission to abort, the job could never end.
        if (asXferError(error).code !== 'ACCESS_DENIED') throw error
        emit(notice('UPLOAD_NOT_ABORTED', { location: text + name }))
      })
      if (outcome === 'lapses') tellLapse({ store, text: text + name }, parts.size, emit)
    }
    if (creatingMs !== undefined) {
      await reportLost(
        { destination: { store, key, text: text + name }, run: { journal, emit } },
        { createdMs: creatingMs, signal },
      )
    }
    await journal.write({ type: 'over', name })
  }
}

module.exports = { abortStaleUploads }
