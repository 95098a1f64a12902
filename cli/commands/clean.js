'use strict'

const lib = require('../../lib')
const { plural } = require('../format')
const { flagsOfCommand } = require('../../lib/options')

const USUAL_AGE = flagsOfCommand('clean').find(({ flag }) => flag === '--older-than')?.spec.default ?? ''

/** @param {import('../../lib/types').CleanedUpload} upload */
function lineOf({ location, uploadId, initiatedMs, outcome, job, error }) {
  const time = initiatedMs === undefined ? '-' : `${new Date(initiatedMs).toISOString().slice(0, 19)}Z`
  const why = job ? ` (job ${job})` : error ? ` (${error.message})` : ''
  return `${outcome.padEnd(8)} ${time.padEnd(20)}  ${location}  ${uploadId}${why}`
}

/** @param {import('../../lib/types').Cleaned} cleaned */
function summaryOf({ location, olderThanMs, uploads, young, lapse }) {
  const count = (/** @type {string} */ outcome) => uploads.filter(upload => upload.outcome === outcome).length
  const [aborted, gone, left, kept, undated] = ['aborted', 'gone', 'left', 'kept', 'undated'].map(count)
  const counts = { aborted, gone, left, kept, undated, young }
  return { location, olderThanMs, ...counts, ...(lapse && { lapsing: count('lapses'), lapse }) }
}

/** @param {import('../../lib/types').Cleaned} cleaned @param {string} olderThan as it was typed */
function textOf(cleaned, olderThan) {
  const { location, aborted, gone, left, kept, undated, lapsing = 0, young, lapse } = summaryOf(cleaned)
  const lines = []
  if (kept > 0) lines.push(`Kept ${plural(kept, 'upload')} of jobs: see xfer jobs; xfer abort gives a job up.`)
  if (undated > 0) lines.push(`Kept ${plural(undated, 'upload')}, because the store does not say how old they are.`)
  if (young > 0) lines.push(`Kept ${plural(young, 'upload')} of the last ${olderThan}: see --older-than.`)
  if (gone > 0) lines.push(`${plural(gone, 'upload')} ${gone === 1 ? 'was' : 'were'} gone already.`)
  if (lapse && lapsing > 0) {
    const whose = lapsing === 1 ? 'Its' : 'Their'
    lines.push(`Found ${plural(lapsing, 'upload')}. ${whose} ${lapse.part}s are not visible; ${lapse.words}.`)
    lines.push('No request removes them earlier without a change to an object, so xfer clean leaves them there.')
  } else if (left > 0) {
    const what = left === 1 ? 'it' : 'them'
    lines.push(
      `Found ${plural(left, 'upload')} older than ${olderThan}: repeat the command with --yes to abort ${what}.`,
    )
  } else if (aborted > 0) lines.push(`Aborted ${plural(aborted, 'upload')} under ${location}.`)
  else if (lines.length > 0) lines.push(`Nothing to abort under ${location}.`)
  else lines.push(`There is no unfinished upload under ${location}.`)
  return lines
}

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'list unfinished multipart uploads, and abort them',
  description: 'Lists unfinished multipart uploads, whose parts cost money. Aborts them if --yes is given.',
  places: [['<DEST>', '{a place[/prefix]}']],
  what: 'cleaning',
  async work({ flags, options, signal, say }, location) {
    const onUpload = (/** @type {import('../../lib/types').CleanedUpload} */ upload) =>
      say({ type: 'upload', ...upload }, [lineOf(upload)])
    const cleaned = await lib.clean(location, { ...options, signal, onUpload })
    say({ type: 'done', ...summaryOf(cleaned) }, textOf(cleaned, flags.olderThan ?? USUAL_AGE))
  },
}
