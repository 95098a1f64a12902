'use strict'

/** After a copy became visible: whether what is stored is what was sent. */

const { EXIT, XferError, asXferError, factsOfCause } = require('../errors')
const { removeWrong } = require('../destination')
const { sameEtag } = require('../integrity')
const { notice } = require('../notices')
const { bytesIn, readRanges } = require('./read')

/** @typedef {import('../types').WriteWork} WriteWork */
/** @typedef {import('../types').Written} Written */
/** @typedef {import('../types').Part} Part */

/** A range that differs is read so often again: the second reading may be the wrong one. */
const MOST_AGAIN = 2
/** The store does not let it be read. */
const REFUSED = new Set(['ACCESS_DENIED', 'ARCHIVED'])

/**
 * With `--verify full`: reads the destination, range by range, and compares it with what was sent. What is not that is
 * removed.
 *
 * @param {WriteWork} work
 * @param {Written} written
 * @returns {Promise<import('../types').Proof[]>} what was found out
 * @throws {XferError} WRONG_COPY, OBJECT_CHANGED where somebody else replaced it, NOT_READ_BACK
 */
async function readBack(work, written) {
  const { job, plan } = work
  if (written.settled || job.settings.verify !== 'full') return []
  job.run.emit(notice('READING_BACK'))
  const { wrong } = await firstWrong(work, written, plan.parts)
  if (!wrong) return ['read-back']
  await forget(job)
  const { start, bytes } = wrong
  const many = plan.parts.length > 1 ? `${bytesIn(wrong)} are not what was sent` : 'it is not what was sent'
  throw await wrongCopy(job.destination, written, { reason: many, start, bytes })
}

/** The upload was completed, and there is nothing to go on with. @param {WriteWork['job']} job */
async function forget({ run: { journal } }) {
  const { upload } = journal.state
  if (upload) await journal.write({ type: 'gone', upload: upload.id })
}

/**
 * Reads ranges of the copy, and compares them with what was sent; the journal keeps those that are equal.
 *
 * @param {WriteWork} work
 * @param {Written} written
 * @param {Part[]} ranges of the plan's parts
 * @returns {Promise<{ wrong?: Part, shown?: Pick<Written, 'etag' | 'versionId'> }>} wrong: the first range that is not what was
 *   sent; shown: the copy, where its store shows it under another ETag than it answered; it is right then
 * @throws {XferError} OBJECT_CHANGED where somebody else replaced it, NOT_READ_BACK
 */
async function firstWrong(work, written, ranges) {
  const { job } = work
  const { upload } = job.run.journal.state
  const note = (/** @type {number} */ partNumber) => {
    if (upload) job.run.journal.note({ type: 'checked', upload: upload.id, partNumber })
  }
  try {
    return { wrong: await readUnder(work, written, ranges, note) }
  } catch (cause) {
    const error = asXferError(cause)
    if (error.code !== 'OBJECT_CHANGED') throw unread(job, error)
    const found = await readAsShown(work, written)
    if (found.shown) return found
    await forget(job)
    throw new XferError('OBJECT_CHANGED', { ...error.facts, advice: found.advice }, { cause })
  }
}

const REPLACED = 'Look at what is there now: somebody else wrote it after the copy was complete.'
const OF_OTHER_BYTES =
  'Look at what is there now: it is not what was sent, and either somebody else wrote it after the copy was complete, or its store shows the copy under another ETag than it answered, and the copy is wrong.'

/**
 * There are stores that answer a completion with one ETag, and show the object with another one. What has the size of the copy is
 * read from its start, under the ETag that it has now: equal bytes prove it, whoever wrote them.
 *
 * @param {WriteWork} work
 * @param {Written} written
 * @returns {Promise<{ shown: Pick<Written, 'etag' | 'versionId'> } | { shown?: undefined, advice: string }>}
 * @throws {XferError} NOT_READ_BACK
 */
async function readAsShown(work, written) {
  const { job, object, plan } = work
  const { store, key } = job.destination
  const now = await store.head(key, { signal: job.run.cancel }).catch(cause => {
    const error = asXferError(cause)
    if (error.code !== 'NO_SUCH_KEY') throw unread(job, error)
  })
  if (!now || now.bytes !== object.bytes || sameEtag(now.etag, written.etag)) return { advice: REPLACED }
  try {
    const wrong = await readUnder(work, { ...written, etag: now.etag }, plan.parts, () => {})
    return wrong ? { advice: OF_OTHER_BYTES } : { shown: { etag: now.etag, versionId: now.versionId } }
  } catch (cause) {
    const error = asXferError(cause)
    if (error.code !== 'OBJECT_CHANGED') throw unread(job, error)
    return { advice: REPLACED }
  }
}

/** It is there, and nothing is known against it. @param {WriteWork['job']} job @param {import('../types').XferError} error */
function unread({ destination }, error) {
  const exit = REFUSED.has(error.code) ? EXIT.FAILED : error.exitCode
  return new XferError('NOT_READ_BACK', { ...factsOfCause(error), exit, location: destination.text }, { cause: error })
}

/**
 * @param {WriteWork} work
 * @param {Written} written
 * @param {Part[]} ranges
 * @param {(partNumber: number) => void} note told of each that is equal
 * @returns {Promise<Part | undefined>} the first range that is not what was sent, each time it was read
 */
async function readUnder(work, { etag, outcomes }, ranges, note) {
  const sent = new Map(outcomes.map(({ partNumber, crc32 }) => [partNumber, crc32]))
  /** @type {Set<number>} */
  const equal = new Set()
  let doubtful = ranges
  for (let attempt = 0; attempt <= MOST_AGAIN && doubtful.length > 0; attempt++) {
    const asked = doubtful
    await readStored(work, etag, asked, ({ partNumber, crc32 }) => {
      const range = asked[partNumber - 1]
      if (crc32 === undefined || crc32 !== sent.get(range.partNumber)) return
      equal.add(range.partNumber)
      note(range.partNumber)
    })
    doubtful = asked.filter(({ partNumber }) => !equal.has(partNumber))
  }
  return doubtful[0]
}

/**
 * @param {WriteWork} work
 * @param {string} etag
 * @param {Part[]} ranges
 * @param {(range: import('../types').TaskSuccess) => void} done told of each range as it comes, numbered from 1
 */
async function readStored(work, etag, ranges, done) {
  const { job, object, concurrency, limits, partsPerInvocation, reading, schedule } = work
  const { destination, engine, settings } = job
  const { cancel } = job.run
  await readRanges({
    objects: [{ ...destination, object: { etag, bytes: object.bytes } }],
    ranges,
    engine,
    limits,
    concurrency,
    partsPerInvocation,
    pressure: job.run.pressure,
    retries: settings.retries,
    abort: cancel,
    emit: reading(ranges),
    done,
    schedule,
  })
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

module.exports = { firstWrong, forget, readBack, wrongCopy }
