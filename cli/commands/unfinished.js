'use strict'

/** Commands for what was not finished: `xfer jobs`, `resume`, `abort` and `clean`. */

const { hostname } = require('node:os')
const lib = require('../../lib')
const { TABLE } = require('../../lib/errors')
const { flagsOfCommand } = require('../../lib/options')
const { costLines } = require('../reporters/cost-words')
const { formatBytes, formatCount, formatDuration, plural, styleOf } = require('../format')

/** @param {Awaited<ReturnType<typeof lib.jobs>>} all */
function adviceOn(all) {
  if (all.every(({ state }) => isOver(state))) return ['There is no unfinished job.']
  const stopped = all.some(({ state }) => state === 'stopped')
  return stopped ? ['', 'To continue one: xfer resume JOB. To give one up: xfer abort JOB.'] : []
}

/** @param {import('../../lib/types').JobReport} job @param {number} nowMs @param {Pick<import('../format').Style, 'signs'>} style @param {number} [most] notices and failures that are shown; 0: none, and no word of them @returns {string[]} */
function jobLines(job, nowMs, { signs }, most = 3) {
  const { id, state, source, destination, updatedMs = 0, ended, owner, runner, proof } = job
  if (state === 'damaged') return [`${id}  damaged`, `  ${job.problem}`]
  const ago = `${formatDuration(Math.max(0, nowMs - updatedMs))} ago`
  const ending = ended ? `${ended.message}` : 'It was killed, or the machine went down.'
  return [
    `${id}  ${state}  ${source} ${signs.to} ${destination}`,
    isOver(state) ? `  ${wholeOf(job)}; ended ${ago}` : `  ${doneOf(job)}; last written ${ago}${placeOf(owner)}`,
    ...(runner
      ? [`  ${runnerOf(job)}`, ...(runner.cost ? costLines({ cost: runner.cost }).map(line => `  ${line}`) : [])]
      : []),
    ...(proof?.length ? [`  ${proofOf(job)}`] : []),
    ...toldLines(job, most),
    ...(state === 'stopped' || state === 'failed' ? [`  ${ending}`] : []),
  ]
}

/** What the runs of one that goes on no more have told, and which objects failed. @param {import('../../lib/types').JobReport} job @param {number} most */
function toldLines({ state, notices = [], failures = [] }, most) {
  if (state === 'running' || state === 'waiting') return []
  const all = [...notices.map(({ message }) => message), ...failures.map(({ name, message }) => `${name}: ${message}`)]
  const more = most === 0 ? 0 : all.length - most
  return [...all.slice(0, most), ...(more > 0 ? [`${more} more: xfer attach JOB tells them.`] : [])].map(
    line => `  ${line}`,
  )
}

/** @param {import('../../lib/types').JobReport} job */
function proofOf({ proof = [], recursive }) {
  const { PROOFS } = require('../reporters/copy-words')
  return `Proof${recursive ? ', of its last run' : ''}: ${proof.map(each => PROOFS[each]).join('; ')}.`
}

/** What functions have done for a job. @param {import('../../lib/types').JobReport} job */
function runnerOf({ runner, restarted, runnerError }) {
  const { engine, runs, gbSeconds, calls, functionGbSeconds } = /** @type {NonNullable<typeof runner>} */ (runner)
  const moved =
    calls === 0 ? '' : `; its functions: ${plural(calls, 'call')}, ${functionGbSeconds.toFixed(1)} GB-seconds`
  const used =
    runs === 0 ? 'no run has ended yet' : `${plural(runs, 'run')}, ${gbSeconds.toFixed(1)} GB-seconds${moved}`
  const again = restarted
    ? '; it was called again'
    : runnerError
      ? `; it could not be called again: ${runnerError}`
      : ''
  return `The runner of ${engine}: ${used}${again}`
}

/** Only a state in a store remembers those. @param {string} state */
const isOver = state => state === 'done' || state === 'failed'

/** Where the process is that has it. @param {import('../../lib/types').JobReport['owner']} owner */
function placeOf(owner) {
  return owner && owner.host !== hostname() ? ` by process ${owner.pid} on ${owner.host}` : ''
}

/** Of a job that is over, which only a state in a store has. @param {import('../../lib/types').JobReport} job */
function wholeOf({ state, copied, bytes }) {
  if (copied) return `${plural(copied.objects, 'object')} copied, ${formatBytes(copied.bytes)}`
  return bytes === undefined || state === 'failed' ? 'Nothing was copied' : formatBytes(bytes)
}

/** @param {Partial<import('../../lib/types').JobReport>} job @returns {string} */
function doneOf({ copied, bytes, parts, bytesDone = 0, partsDone = 0, ranges }) {
  if (ranges) return `${doneOf({ copied, bytesDone, partsDone })}; ${rangesOf(ranges)}`
  if (copied) {
    const begun = partsDone === 0 ? '' : `, and ${plural(partsDone, 'part')} of larger ones`
    return `${plural(copied.objects, 'object')} copied, ${formatBytes(copied.bytes + bytesDone)}${begun}`
  }
  if (bytes === undefined || parts === undefined) return 'not planned yet'
  return `${formatCount(partsDone)} of ${plural(parts, 'part')}, ${formatBytes(bytesDone)} of ${formatBytes(bytes)}`
}

/** @param {import('../../lib/types').JobReport[]} ranges of a job that is split */
function rangesOf(ranges) {
  const states = [...new Set(ranges.map(({ state }) => state))]
  const counts = states.map(state => `${ranges.filter(range => range.state === state).length} ${state}`)
  return `${plural(ranges.length, 'range')}: ${counts.join(', ')}`
}

/** @type {import('../run').Definition} */
const jobs = {
  what: 'listing',
  async work({ process, options, say }) {
    const all = await lib.jobs(options)
    const style = styleOf(process.out, process.env)
    for (const job of all) say({ type: 'job', ...job }, jobLines(job, Date.now(), style))
    say({ type: 'done', jobs: all.length }, adviceOn(all))
  },
}

/** @type {import('../run').Definition} */
const resume = {
  job: ({ options }, job) => lib.resume(job, options),
}

/** @param {any} event of `work` @returns {string} */
function workLine({ type, job, source, destination, outcome, message }) {
  if (type === 'taken') return `${job}  taken    ${source} → ${destination}`
  return message === undefined ? `${job}  ${outcome}` : `${job}  ${outcome.padEnd(7)}  ${message}`
}

/** @type {import('../run').Definition} */
const work = {
  what: 'work',
  async work({ process, options, signal, say }) {
    const { signs } = styleOf(process.out, process.env)
    const onEvent = (/** @type {any} */ event) => say(event, [workLine(event).replace('→', signs.to)])
    const worked = await lib.work({ ...options, signal, onEvent })
    const { done, left, failed, unfinished } = worked
    const goesOn = unfinished > 0 ? `, ${unfinished} for the next worker` : ''
    say({ type: 'done', ...worked }, [
      `${plural(done, 'job')} done, ${left} left to others, ${failed} failed${goesOn}.`,
    ])
    return failed > 0 ? lib.EXIT.FAILED : unfinished > 0 ? lib.EXIT.TRY_AGAIN : undefined
  },
}

/** @type {import('../run').Definition} */
const attach = {
  what: 'watching',
  async work({ process, options, signal, say, show }, job) {
    const style = styleOf(process.out, process.env)
    const onEvent = (/** @type {any} */ event) => {
      say(event, jobLines(event, Date.now(), style, Number.POSITIVE_INFINITY))
      show(event)
    }
    const { state, ended } = await lib.attach(job, { ...options, signal, onEvent })
    return state === 'done' ? undefined : (TABLE[ended?.code ?? '']?.exit ?? lib.EXIT.FAILED)
  },
}

/** @type {import('../run').Definition} */
const stop = {
  what: 'stop',
  async work({ process, options, signal, say }, job) {
    const stopped = await lib.stopJob(job, { ...options, signal })
    say({ type: 'done', ...stopped }, jobLines(stopped, Date.now(), styleOf(process.out, process.env)))
  },
}

const MAYBE_ANOTHERS = "has no parts, and may be the job's or another program's: it was not aborted."

/** @param {import('../../lib/types').AbortedJob} aborted */
function abortedLines({ job, destination, uploads, bytes, parts, copied, unread = [], maybeCompleted, lapse }) {
  const stays = copied !== undefined && copied.objects > 0
  const removed = uploads.some(({ outcome }) => outcome === 'aborted')
  const left = uploads.filter(({ outcome }) => outcome === 'left')
  const upload = lapse
    ? lapseLine(destination, lapse)
    : removed
      ? `Aborted the upload of ${destination}, ${parts > 0 ? `with ${plural(parts, 'part')} of ${formatBytes(bytes)} in all` : 'which had no parts'}.`
      : uploads.some(({ outcome }) => outcome === 'gone')
        ? `The upload of ${destination} was gone already.`
        : !stays && `Nothing had been uploaded to ${destination}.`
  return [
    ...(upload ? [upload] : []),
    ...(stays
      ? [`What was copied to ${destination} stays: ${plural(copied.objects, 'object')}, ${formatBytes(copied.bytes)}.`]
      : []),
    ...(maybeCompleted ? ['It was being completed when the copy ended: the object may be there.'] : []),
    ...left.map(({ uploadId }) => `The upload ${uploadId} ${MAYBE_ANOTHERS}`),
    ...unread.map(
      ({ problem }) => `${problem} Uploads of that range may be left: xfer clean ${destination} finds them.`,
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
const abort = {
  what: 'abort',
  async work({ options, signal, say }, job) {
    const aborted = await lib.abortJob(job, { ...options, signal })
    say({ type: 'done', ...aborted }, abortedLines(aborted))
  },
}

/** @param {import('../../lib/types').CleanedUpload} upload */
function uploadLine({ location, uploadId, initiatedMs, outcome, job, error }) {
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
function cleanedLines(cleaned, olderThan) {
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
    const advice = `repeat the command with --yes to abort ${left === 1 ? 'it' : 'them'}`
    lines.push(`Found ${plural(left, 'upload')} older than ${olderThan}: ${advice}.`)
  } else if (aborted > 0) lines.push(`Aborted ${plural(aborted, 'upload')} under ${location}.`)
  else if (lines.length > 0) lines.push(`Nothing to abort under ${location}.`)
  else lines.push(`There is no unfinished upload under ${location}.`)
  return lines
}

/** @param {Pick<import('../run').LibraryCall, 'process' | 'flags' | 'options' | 'signal' | 'say'>} call */
async function cleanState({ process, flags, options, signal, say }) {
  const found = await lib.cleanState({ ...options, signal })
  const style = styleOf(process.out, process.env)
  for (const job of found) say({ type: 'job', ...job }, jobLines(job, Date.now(), style, 0))
  const [n, age] = [plural(found.length, 'job'), flags.olderThan ?? '30 days']
  const lines = options.yes
    ? [`Removed ${n} that ended more than ${age} ago.`]
    : [
        `Found ${n} that ended more than ${age} ago${found.length > 0 ? ': repeat the command with --yes to remove them' : ''}.`,
      ]
  say({ type: 'done', jobs: found.length }, lines)
}

/** @type {import('../run').Definition} */
const clean = {
  what: 'cleaning',
  async work({ process, flags, options, signal, say }, location) {
    if (location === undefined) return await cleanState({ process, flags, options, signal, say })
    const onUpload = (/** @type {import('../../lib/types').CleanedUpload} */ upload) =>
      say({ type: 'upload', ...upload }, [uploadLine(upload)])
    const usual = flagsOfCommand('clean').find(({ flag }) => flag === '--older-than')?.spec.default.value ?? ''
    const cleaned = await lib.clean(location, { ...options, signal, onUpload })
    say({ type: 'done', ...summaryOf(cleaned) }, cleanedLines(cleaned, flags.olderThan ?? usual))
  },
}

module.exports = { jobs, resume, work, attach, stop, abort, clean }
