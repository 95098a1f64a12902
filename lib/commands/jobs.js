'use strict'

const { openJournals } = require('../journal')
const { checkArguments } = require('../options')

/** @typedef {import('../types').JobReport} JobReport */

/**
 * The unfinished jobs, including those that are running.
 *
 * @param {import('../types').JobsOptions} [options]
 * @returns {Promise<JobReport[]>} newest first
 * @throws {import('../types').XferError} BAD_JOURNAL where the folder cannot be read
 */
async function jobs(options = {}) {
  checkArguments('jobs', {}, options)
  const { env = process.env } = options
  const listed = await openJournals({ env }).list()
  return listed.map(report)
}

/** @param {import('../types').ListedJob} job @returns {JobReport} */
function report(job) {
  const { id, path } = job
  if (job.problem !== undefined) return { id, path, state: 'damaged', problem: job.problem }
  const { running, source, destination, createdMs, updatedMs, object, plan, upload, options, prefix } = job
  // A run that was about to end may not have come to its end, as after a second Ctrl-C.
  const ended = job.ended ?? job.ending
  const done = progressOf(job)
  return {
    id,
    path,
    state: running ? 'running' : 'stopped',
    source: source.typed ?? source.text,
    destination: destination.typed ?? destination.text,
    createdMs,
    updatedMs,
    ...(options.recursive && { recursive: options.recursive, copied: prefix?.copied ?? { objects: 0, bytes: 0 } }),
    ...(object && { bytes: object.bytes }),
    ...(plan && { parts: plan.parts }),
    bytesDone: done.bytes,
    partsDone: done.parts,
    ...(upload && { uploadId: upload.id }),
    ...(ended && !running && { ended }),
  }
}

/** The parts at the destination of uploads that are not completed. @param {Pick<import('../types').JobState, 'parts' | 'prefix'>} state */
function progressOf({ parts, prefix }) {
  const all = [{ parts }, ...(prefix?.objects.values() ?? [])].flatMap(object => [...object.parts.values()])
  return { bytes: all.reduce((sum, { bytes }) => sum + bytes, 0), parts: all.length }
}

module.exports = { jobs, progressOf }
