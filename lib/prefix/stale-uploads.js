'use strict'

/**
 * Large objects that an earlier run of the job began and this one has not met: gone from the source, chosen no more, or at
 * the destination by now. What was uploaded of them nobody will complete.
 */

const { asXferError } = require('../errors')
const { abortUntilGone, tellLost } = require('../destination')
const { notice } = require('../notices')

/**
 * At the end, when nothing is under way.
 *
 * @param {Pick<import('../job/open').Job, 'destination' | 'run'>} job of the prefix
 * @throws {import('../types').XferError} what the store says; it is in the journal still
 */
async function clearUnmet({ destination: { store, key: prefix, text }, run: { journal, cancel: signal, emit } }) {
  for (const [name, { upload, left, creatingMs }] of [...(journal.state.prefix?.objects ?? [])]) {
    const key = prefix + name
    for (const id of [...left, ...(upload ? [upload.id] : [])]) {
      await abortUntilGone(store, key, id, signal).catch(error => {
        // Who may not abort it would not come to an end, ever.
        if (asXferError(error).code !== 'ACCESS_DENIED') throw error
        emit(notice('UPLOAD_NOT_ABORTED', { location: text + name }))
      })
    }
    if (creatingMs !== undefined) {
      await tellLost(
        { destination: { store, key, text: text + name }, run: { journal, emit } },
        { createdMs: creatingMs, signal },
      )
    }
    await journal.write({ type: 'over', name })
  }
}

module.exports = { clearUnmet }
