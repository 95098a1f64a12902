'use strict'

const lib = require('../../lib')
const { formatBytes, formatCount, formatDuration, plural, styleOf } = require('../format')

/** @param {Awaited<ReturnType<typeof lib.jobs>>} all */
function adviceOn(all) {
  if (all.length === 0) return ['There is no unfinished job.']
  const stopped = all.some(({ state }) => state === 'stopped')
  return stopped ? ['', 'To continue one: xfer resume JOB. To give one up: xfer abort JOB.'] : []
}

/** @param {import('../../lib/types').JobReport} job @param {number} nowMs @param {Pick<import('../format').Style, 'signs'>} style @returns {string[]} */
function linesOf(job, nowMs, { signs }) {
  const { id, state, source, destination, updatedMs = 0, ended } = job
  if (state === 'damaged') return [`${id}  damaged`, `  ${job.problem}`]
  const ago = `${formatDuration(Math.max(0, nowMs - updatedMs))} ago`
  const ending = ended ? `${ended.message}` : 'It was killed, or the machine went down.'
  return [
    `${id}  ${state}  ${source} ${signs.to} ${destination}`,
    `  ${doneOf(job)}; last written ${ago}`,
    ...(state === 'stopped' ? [`  ${ending}`] : []),
  ]
}

/** @param {import('../../lib/types').JobReport} job */
function doneOf({ copied, bytes, parts, bytesDone = 0, partsDone = 0 }) {
  if (copied) {
    const begun = partsDone === 0 ? '' : `, and ${plural(partsDone, 'part')} of larger ones`
    return `${plural(copied.objects, 'object')} copied, ${formatBytes(copied.bytes + bytesDone)}${begun}`
  }
  if (bytes === undefined || parts === undefined) return 'not planned yet'
  return `${formatCount(partsDone)} of ${plural(parts, 'part')}, ${formatBytes(bytesDone)} of ${formatBytes(bytes)}`
}

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'list unfinished copies',
  description: 'Lists unfinished copies, and those that run now.',
  what: 'listing',
  async work({ process, options, say }) {
    const all = await lib.jobs(options)
    const style = styleOf(process.out, process.env)
    for (const job of all) say({ type: 'job', ...job }, linesOf(job, Date.now(), style))
    say({ type: 'done', jobs: all.length }, adviceOn(all))
  },
}
