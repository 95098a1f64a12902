'use strict'

const { openJournals } = require('../journal')

/** @typedef {import('../types').JobReport} JobReport */

/**
 * The jobs that were not finished, those that run now among them.
 *
 * @param {import('../types').JobsOptions} [options]
 * @returns {Promise<JobReport[]>} newest first
 * @throws {import('../types').XferError} BAD_JOURNAL where the folder cannot be read
 */
async function jobs({ env = process.env } = {}) {
  const listed = await openJournals({ env }).list()
  return listed.map(report)
}

/** @param {import('../types').ListedJob} job @returns {JobReport} */
function report(job) {
  const { id, path } = job
  if (job.problem !== undefined) return { id, path, state: 'damaged', problem: job.problem }
  const { running, source, destination, createdMs, updatedMs, object, plan, upload, ended } = job
  const done = progressOf(job)
  return {
    id,
    path,
    state: running ? 'running' : 'stopped',
    source: source.text,
    destination: destination.text,
    createdMs,
    updatedMs,
    ...(object && { bytes: object.bytes }),
    ...(plan && { parts: plan.parts }),
    bytesDone: done.bytes,
    partsDone: done.parts,
    ...(upload && { uploadId: upload.id }),
    ...(ended && !running && { ended }),
  }
}

/** @param {{ parts: Map<number, { bytes: number }> }} state */
function progressOf({ parts }) {
  return { bytes: [...parts.values()].reduce((sum, { bytes }) => sum + bytes, 0), parts: parts.size }
}

module.exports = { jobs, progressOf }
