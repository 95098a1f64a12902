'use strict'

/** The job that `xfer resume` means if none is named. */

const { XferError } = require('../errors')

/** @typedef {import('../types').ListedJob} ListedJob */

/** Of several unfinished jobs, how many the error describes: the newest. */
const MOST_NAMED = 3

/**
 * @param {ListedJob[]} all newest first
 * @returns {string} the id of the only one that can be resumed
 * @throws {XferError} NO_SUCH_JOB, USAGE if there are several
 */
function onlyOne(all) {
  const jobs = all.flatMap(job => (job.problem !== undefined || job.running ? [] : [job]))
  if (jobs.length === 0) throw new XferError('NO_SUCH_JOB', { others: all.length })
  if (jobs.length === 1) return jobs[0].id
  const more = jobs.length > MOST_NAMED ? ` and ${jobs.length - MOST_NAMED} more` : ''
  throw new XferError('USAGE', {
    text: `There are ${jobs.length} unfinished jobs: ${jobs.slice(0, MOST_NAMED).map(describe).join(', ')}${more}.`,
    advice: 'Name the one to go on with; xfer jobs lists them all.',
  })
}

/** @param {import('../types').JobState} job @returns {string} its id, its ends, and how far it is */
function describe({ id, source, destination, plan, parts, prefix }) {
  const ends = `${source.typed ?? source.text} to ${destination.typed ?? destination.text}`
  if (prefix) return `${id} (${ends}, ${prefix.copied?.objects ?? 0} objects copied)`
  return `${id} (${ends}, ${plan ? `${parts.size} of ${plan.parts} parts` : 'not planned yet'})`
}

module.exports = { onlyOne }
