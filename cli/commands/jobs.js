'use strict'

const lib = require('../../lib')
const { formatBytes, formatCount, formatDuration, plural, printable } = require('../format')
const { optionsOf } = require('../options')
const { runCommand } = require('../run')
const { styleOf } = require('../style')

const EXAMPLES = `
Examples:
  xfer jobs
  xfer jobs --json | jq -r 'select(.state == "stopped") | .id'

Lists unfinished copies, newest first, and those that run now. Their journals
are files in $XDG_STATE_HOME/xfer/jobs (~/.local/state/xfer/jobs). A journal
that is copied to another machine can be resumed there.

Exit status: 0 listed, 2 usage, or the folder of the journals cannot be read.`

/** @param {Awaited<ReturnType<typeof lib.jobs>>} all @param {number} nowMs @param {Pick<import('../style').Style, 'signs'>} style */
function textOf(all, nowMs, style) {
  if (all.length === 0) return ['There is no unfinished job.']
  const stopped = all.filter(({ state }) => state === 'stopped')
  const advice = stopped.length > 0 ? ['', 'To continue one: xfer resume JOB. To give one up: xfer abort JOB.'] : []
  return [...all.flatMap(job => linesOf(job, nowMs, style)), ...advice]
}

/** @param {import('../../lib/types').JobReport} job @param {number} nowMs @param {Pick<import('../style').Style, 'signs'>} style @returns {string[]} */
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
  help: EXAMPLES,
  action: process => flags =>
    runCommand(process, flags, { what: 'listing' }, async () => {
      const all = await lib.jobs(optionsOf('jobs', flags))
      if (!flags.json) process.print(textOf(all, Date.now(), styleOf(process.out, process.env)).map(printable))
      else
        for (const event of [...all.map(job => ({ type: 'job', ...job })), { type: 'done', jobs: all.length }])
          process.tell(event)
      return 0
    }),
}
