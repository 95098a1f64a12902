'use strict'

/** Ends an unfinished job whose copy starts over. */

const { XferError, asXferError } = require('../errors')
const { ABORT_LIMIT_MS, abortUntilGone, reportLost, tellLapse, uploadsLeft } = require('../destination')

/**
 * `--restart`: aborts the uploads of the earlier runs.
 *
 * @param {import('../types').JobJournal} kept
 * @param {import('../types').Journal} journal
 * @param {{ destination: import('./contract').Side, emit: import('./contract').Run['emit'] }} job
 */
async function discard({ state, uploads }, journal, { destination, emit }) {
  const { store } = destination
  const { id, prefix } = state
  /** @type {Array<[name: string, object: import('../types').ObjectState]>} */
  const objects = [['', state], ...(prefix?.objects ?? [])]
  let signal = AbortSignal.timeout(ABORT_LIMIT_MS)
  try {
    for (const [name, object] of objects) {
      const { creatingMs, parts } = object
      const key = destination.key + name
      const text = destination.text + name
      signal = AbortSignal.timeout(ABORT_LIMIT_MS)
      for (const of of uploadsLeft(key, object)) {
        const outcome = await abortUntilGone(store, of.key, of.uploadId, signal)
        if (outcome === 'lapses') tellLapse({ store, text }, parts.size, emit)
      }
      if (creatingMs !== undefined) {
        const lost = { destination: { store, key, text }, run: { journal: { uploads }, emit } }
        await reportLost(lost, { createdMs: creatingMs, signal })
      }
    }
    await journal.remove()
  } catch (cause) {
    await journal.close()
    if (!signal.aborted) throw asXferError(cause)
    const reason = `What the job ${id} had uploaded could not be aborted within ${ABORT_LIMIT_MS / 1000} s.`
    throw new XferError('UPLOAD_LEFT', { ...store.facts, reason, job: id }, { cause })
  }
}

module.exports = { discard }
