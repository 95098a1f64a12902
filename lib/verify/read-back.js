'use strict'

/** After a copy became visible: whether what is stored is what was sent. */

const { XferError, asXferError, factsOfCause } = require('../errors')
const { removeWrong } = require('../destination/removal')
const { bytesIn, differing, readRanges } = require('./read')

/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Written} Written */
/** @typedef {import('../types').Part} Part */

/** A range that differs is read so often again: the second reading may be the wrong one. */
const MOST_AGAIN = 2

/**
 * With `--verify full`: reads the destination, range by range, and compares it with what was sent. What is not that is
 * taken away again.
 *
 * @param {WriteWork} work
 * @param {Written} written
 * @returns {Promise<import('../types').Proof[]>} what was found out
 * @throws {XferError} WRONG_COPY, OBJECT_CHANGED where somebody else replaced it, NOT_READ_BACK
 */
async function readBack(work, written) {
  const { job, plan } = work
  if (job.settings.verify !== 'full') return []
  job.emit({ type: 'notice', message: 'Reading the copy back.' })
  const wrong = await firstWrong(work, written).catch(async cause => {
    const error = asXferError(cause)
    if (error.code === 'OBJECT_CHANGED') {
      await forget(job)
      const advice = 'Look at what is there now: somebody else wrote it after the copy was complete.'
      throw new XferError('OBJECT_CHANGED', { ...error.facts, advice }, { cause })
    }
    throw new XferError('NOT_READ_BACK', { ...factsOfCause(error), location: job.destination.text }, { cause })
  })
  if (!wrong) return ['read-back']
  await forget(job)
  const { start, bytes } = wrong
  const many = plan.parts.length > 1 ? `${bytesIn(wrong)} are not what was sent` : 'it is not what was sent'
  throw await wrongCopy(job.destination, written, { reason: many, start, bytes })
}

/** The upload was completed, and there is nothing to go on with. @param {WriteWork['job']} job */
async function forget({ journal }) {
  const { upload } = journal.state
  if (upload) await journal.write({ type: 'gone', upload: upload.id })
}

/** @param {WriteWork} work @param {Written} written @returns {Promise<Part | undefined>} the first range that is not what was sent */
async function firstWrong(work, { etag, outcomes }) {
  const { parts } = work.plan
  const sent = new Map(outcomes.map(({ partNumber, crc32 }) => [partNumber, crc32]))
  let doubtful = parts
  for (let attempt = 0; attempt <= MOST_AGAIN && doubtful.length > 0; attempt++) {
    const found = await readStored(work, etag, doubtful)
    const expected = doubtful.map(({ partNumber }) => sent.get(partNumber))
    doubtful = differing(
      doubtful,
      expected,
      found.map(({ crc32 }) => crc32),
    )
  }
  return doubtful[0]
}

/** @param {WriteWork} work @param {string} etag @param {Part[]} ranges */
async function readStored({ job, object, concurrency, limits, reading, schedule }, etag, ranges) {
  const { destination, engine, settings, stopping: signal } = job
  const [outcomes] = await readRanges({
    objects: [{ ...destination, object: { etag, bytes: object.bytes } }],
    ranges,
    engine,
    limits,
    concurrency,
    partsPerInvocation: settings.partsPerInvocation,
    pressure: job.pressure,
    retries: settings.retries,
    signal,
    emit: reading(ranges),
    schedule,
  })
  return outcomes
}

/**
 * What is said of a copy that is not what was sent, once it is taken away.
 *
 * @param {{ store: import('../types').Store, key: string, text: string }} destination
 * @param {Pick<Written, 'etag' | 'versionId'>} written
 * @param {{ reason?: string, start?: number, bytes: number }} wrong where; all of it where nothing else is said
 * @param {import('../types').XferError} [cause]
 * @returns {Promise<import('../types').XferError>} WRONG_COPY
 */
async function wrongCopy(destination, written, { reason = 'it is not what was sent', start = 0, bytes }, cause) {
  const now = await removeWrong(destination, written)
  return new XferError(
    'WRONG_COPY',
    { location: destination.text, reason, now, start, end: start + bytes - 1 },
    { cause },
  )
}

module.exports = { readBack, takeAway: removeWrong, wrongCopy }
