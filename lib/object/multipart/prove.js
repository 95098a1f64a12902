'use strict'

/** Proves the completed object: reads back what nothing else proves. */

const { XferError } = require('../../errors')
const { bytesIn, firstWrong, forgetUpload } = require('../../verify')
const { unknownOutcome } = require('../../destination')
const { notice } = require('../../notices')
const { planSums } = require('./parts')

/** @typedef {import('../../types').WriteWork} WriteWork */
/** @typedef {import('../../types').Written} Written */
/** @typedef {import('../../types').Part} Part */
/** @typedef {{ reason: string, start: number, end: number }} Wrong what differs from what was sent, and where */

/**
 * The ranges to read back, as far as known.
 *
 * @param {Pick<WriteWork, 'job' | 'object' | 'plan' | 'copies'>} work
 * @param {{ created?: import('../../types').Upload, unproved?: number[] }} known created: before the parts are copied; unproved:
 *   numbers of parts after that
 * @returns {Part[]}
 */
function rangesToRead({ job, object, plan, copies }, { created, unproved }) {
  const { verify, proved } = job.settings
  if (!proved || copies) return []
  if (verify === 'full') return plan.parts
  if (unproved) return plan.parts.filter(({ partNumber }) => unproved.includes(partNumber))
  return created && planSums({ job, object, plan }, created).evidence === 'none' ? plan.parts : []
}

/**
 * @param {WriteWork} work
 * @param {Written} written
 * @returns {Promise<Written & { wrong?: Wrong }>} wrong: set when the object differs from what was sent; it is still there
 * @throws {import('../../types').XferError} NOT_READ_BACK; OBJECT_CHANGED when somebody else replaced it
 */
async function proveStored(work, written) {
  const { job, plan, object, copies } = work
  const { settings } = job
  const { journal } = job.run
  const { contradiction, doubtful } = written
  const whole = { start: 0, end: Math.max(0, object.bytes - 1) }
  if (settings.verify === 'size' && written.unseen) {
    await forgetUpload(job)
    const reason = 'its size cannot be asked for'
    throw new XferError('NOT_PROVED', { location: job.destination.text, reason, instead: 'none' })
  }
  if (!settings.proved || copies) {
    if (contradiction === undefined) return copies ? written : { ...written, settled: true }
    await forgetUpload(job)
    return { ...written, wrong: { reason: contradiction, ...whole } }
  }
  const all = settings.verify === 'full' || contradiction !== undefined || doubtful
  const ranges = all ? plan.parts : rangesToRead(work, { unproved: written.unproved ?? [] })
  if (ranges.length === 0) return { ...written, settled: true }
  const seen = journal.state.checked ?? new Set()
  const rest = ranges.filter(({ partNumber }) => !seen.has(partNumber))
  job.run.emit(notice('READING_BACK', settings.verify === 'full' ? {} : { bytes: sizeOf(rest) }))
  const { wrong, current } = await firstWrong(work, written, rest)
  if (!wrong) return { ...written, ...current, proofs: [...(written.proofs ?? []), 'read-back'], settled: true }
  await forgetUpload(job)
  if (doubtful) {
    // It may be somebody else's object of the same size.
    throw unknownOutcome(job.destination, 'what is there was read, and is not the copy')
  }
  const { start, bytes } = wrong
  const reason = plan.parts.length > 1 ? `${bytesIn(wrong)} are not what was sent` : 'it is not what was sent'
  return { ...written, wrong: { reason, start, end: start + bytes - 1 } }
}

/** @param {Array<{ bytes: number }>} ranges */
function sizeOf(ranges) {
  return ranges.reduce((sum, { bytes }) => sum + bytes, 0)
}

module.exports = { proveStored, rangesToRead, sizeOf }
