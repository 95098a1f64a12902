'use strict'

/** A move that was killed after its copy was proved: its source is deleted, if it is still there, and nothing is copied. */

const { EXIT, asXferError } = require('../../errors')
const { look } = require('../../destination')
const { isCopy, removeSource } = require('./source')

/**
 * @param {Pick<import('../../job/open').Context, 'source' | 'destination' | 'run'>} job of one object, with its journal
 * @returns {Promise<{ bytes: number, etag: string, versionId?: string, proof: import('../../types').Proof[] } | undefined>} what
 *   was moved; undefined: no earlier run has proved the copy, or it is not what is there now, or the source is another object
 * @throws {import('../../types').XferError} as `removeSource`
 */
async function goOnMoving(job) {
  const { destination, run } = job
  const { removing, object } = run.journal.state
  if (!removing || !object) return undefined
  const copied = { bytes: object.bytes, etag: removing.etag, versionId: removing.versionId }
  // Since that run somebody may have replaced the copy, or deleted it.
  const found = await look(destination, run.cancel)
  if (!found.object || !isCopy(found.object, copied)) return undefined
  try {
    await removeSource(job, { read: object, copied, apart: false })
  } catch (cause) {
    const error = asXferError(cause)
    if (error.code === 'SOURCE_KEPT' && error.exitCode === EXIT.SOURCE_CHANGED) return undefined
    throw error
  }
  return { ...copied, proof: removing.proof ?? [] }
}

module.exports = { goOnMoving }
