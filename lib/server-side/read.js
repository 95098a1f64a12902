'use strict'

/** `--verify full` of a copy that its store made: both objects are read, by the engine, and compared. */

const { askLimits, shareRate } = require('../allowance')
const { XferError, asXferError, factsOfCause } = require('../errors')
const { checkParts, fullCrc32 } = require('../integrity')
const { readPlain } = require('../verify/again')
const { rangesOf } = require('../verify/read')
const { readBack } = require('../verify/read-back')

/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Written} Written */

/**
 * @param {import('../job').Job} job with the engine that reads
 * @returns {(work: WriteWork, written: Written) => Promise<import('../types').Proof[]>} what was found out; throws as
 *   `readBack` does
 */
function bothReader(job) {
  return async (work, written) => {
    if (job.settings.verify !== 'full') return []
    const { object } = work
    const parts = rangesOf(object.bytes, job.settings.chunkBytes)
    work.job.emit({ type: 'notice', message: 'Reading the source.' })
    const reader = await readerOf(job, work, parts).catch(error => unread(job, error))
    const outcomes = await readPlain(reader, parts).catch(error => unread(job, error))
    checkRead(outcomes, parts, object)
    const proofs = await readBack(reader, { ...written, outcomes })
    return fullCrc32(object.checksum) === undefined ? proofs : [...proofs, 'source-crc32']
  }
}

/**
 * @param {import('../types').TaskSuccess[]} outcomes
 * @param {import('../types').Part[]} parts
 * @param {import('../types').ObjectHead} object
 * @throws {XferError} INTEGRITY
 */
function checkRead(outcomes, parts, object) {
  try {
    checkParts(outcomes, parts, object)
  } catch (cause) {
    const { code, facts } = asXferError(cause)
    throw new XferError(code, { ...facts, now: 'the copy is there, and not proved' }, { cause })
  }
}

/** @param {import('../job').Job} job @param {WriteWork} work @param {import('../types').Part[]} parts @returns {Promise<WriteWork>} */
async function readerOf(job, work, parts) {
  const allowed = await askLimits(job)
  const most = Math.min(job.settings.concurrency, allowed.concurrent, parts.length)
  const partBytes = Math.max(...parts.map(({ bytes }) => bytes))
  const { concurrency, limits } = shareRate(job, { concurrency: most, limits: allowed, partBytes })
  const { engine, settings } = job
  return { ...work, job: { ...work.job, engine, settings }, plan: { ...work.plan, parts }, concurrency, limits }
}

/** @param {import('../job').Job} job @param {unknown} cause @returns {never} */
function unread({ destination }, cause) {
  const error = asXferError(cause)
  throw new XferError('NOT_READ_BACK', { ...factsOfCause(error), location: destination.text }, { cause })
}

module.exports = { bothReader }
