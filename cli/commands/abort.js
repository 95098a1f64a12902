'use strict'

const lib = require('../../lib')
const { formatBytes, plural } = require('../format')

/** @param {import('../../lib/types').AbortedJob} aborted */
function linesOf({ job, destination, uploads, bytes, parts, maybeCompleted, lapse }) {
  const removed = uploads.some(({ outcome }) => outcome === 'aborted')
  const left = uploads.filter(({ outcome }) => outcome === 'left')
  const upload = lapse
    ? lapseLine(destination, lapse)
    : removed
      ? `Aborted the upload of ${destination}, ${parts > 0 ? `with ${plural(parts, 'part')} of ${formatBytes(bytes)} in all` : 'which had no parts'}.`
      : uploads.some(({ outcome }) => outcome === 'gone')
        ? `The upload of ${destination} was gone already.`
        : `Nothing had been uploaded to ${destination}.`
  return [
    upload,
    ...(maybeCompleted ? ['It was being completed when the copy ended: the object may be there.'] : []),
    ...left.map(
      ({ uploadId }) =>
        `The upload ${uploadId} has no parts, and may be the job's or another program's: it was not aborted.`,
    ),
    `Removed the job ${job}.`,
  ]
}

/** @param {string} destination @param {import('../../lib/types').LapsingParts} lapse */
function lapseLine(destination, { part, words, parts = 0, lapsesMs = 0 }) {
  const what = parts === 1 ? `The ${part} that was` : `The ${plural(parts, part)} that were`
  const day = new Date(lapsesMs).toISOString().slice(0, 10)
  return `${what} uploaded to ${destination} ${parts === 1 ? 'is' : 'are'} not visible; ${words}, on ${day}.`
}

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'abort an unfinished copy, and remove its parts',
  description: 'Aborts an unfinished copy: removes its uploaded parts and its journal.',
  places: [['<JOB>', 'id of a job, the first letters of it, or the path of its journal']],
  what: 'abort',
  async work({ options, signal, say }, job) {
    const aborted = await lib.abortJob(job, { ...options, signal })
    say({ type: 'done', ...aborted }, linesOf(aborted))
  },
}
