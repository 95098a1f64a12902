'use strict'

/** What the report of a job says in words: what was asked, what came of it, and the proof. */

const { formatBytes, formatCount, formatDuration, formatEta, formatPace, formatRate, plural } = require('../format')
const copyWords = require('../reporters/copy-words')
const comparisonWords = require('../reporters/comparison-words')
const lines = require('../reporters/lines')
const { shareOf } = require('../reporters/progress-words')
const prefixWords = require('../reporters/prefix-words')
const { EXIT } = require('../../lib')

/**
 * @typedef {object} ToldSentence
 * @property {any} [plan] the event
 * @property {any} [end] the last event
 * @property {any} [progress] the last one
 * @property {any} [resume] the event, if an unfinished job was continued
 * @property {Record<string, number>} proof of objects: how many were proved by each
 * @property {{ count: number, rows: any[] }} failures the first ones, and how many there are
 * @property {{ bytes: number, objects: number }} ended
 * @property {boolean} objectsSmall a second is told in objects
 * @property {number} elapsedMs
 */

/** @param {ToldSentence} told */
function wordsOf(told) {
  const { plan = {}, end } = told
  return {
    source: plan.source ?? end?.source ?? '',
    destination: plan.destination ?? end?.destination ?? '',
    headline: headlineOf(told),
    asked: rows(askedOf(told)),
    figures: rows(figuresOf(told)),
    ...proofOf(told),
    limits: rows(limitsOf(told)),
  }
}

/** What has a text. @param {Record<string, string | false | undefined>} texts by label @returns {Array<[label: string, text: string]>} */
function rows(texts) {
  return Object.entries(texts).flatMap(([label, text]) => (text ? [[label, text]] : []))
}

/** Whether it compares. @param {{ plan?: any, end?: any }} told */
const compares = ({ plan = {}, end = {} }) => [plan, end].some(lines.compares)

/** @param {ToldSentence} told @returns {string[]} those of the terminal, if it is done */
function doneLines({ end }) {
  return end?.type === 'done' ? lines.textsOf(end).doneLines(end) : []
}

/** @typedef {{ state: 'good' | 'failed' | 'throttled' | 'usual', title: string, lines: string[], command?: string }} Headline command: to go on */

/** @param {ToldSentence} told @returns {Headline} */
function headlineOf(told) {
  const { end, progress, elapsedMs } = told
  if (!end) return { state: 'usual', title: 'Under way', lines: [doneLine(told)] }
  if (end.type === 'job') return watchedHeadline(told)
  if (end.type === 'error') {
    const { message, hint, exitCode } = end
    const stopped = [EXIT.INTERRUPTED, EXIT.TIMED_OUT].includes(exitCode)
    const title = stopped ? 'Stopped' : exitCode === EXIT.INTEGRITY && compares(told) ? 'Not equal' : 'Failed'
    const ended = end.pairs
      ? comparisonWords.endLines(end, { elapsedMs }).slice(-1)
      : [copyWords.failedLine(end, { elapsedMs, progress })]
    const command = GO_ON.exec(hint)?.[1] ?? (end.job && `xfer resume ${end.job}`)
    const lines = [
      message,
      ...firstFailure(told),
      // The command stands below, in a line of its own.
      hint?.replace(GO_ON, '.'),
      ...ended.map(line => line.replace('xfer: e', 'E')),
    ]
    return { state: stopped ? 'throttled' : 'failed', title, lines, ...(command && { command }) }
  }
  const lines = doneLines(told)
    .slice(-1)
    .map(line => paced(line, told))
  if (end.dryRun) return { state: 'usual', title: 'Dry run', lines }
  if (compares(told)) return { state: 'good', title: 'Equal', lines }
  if (end.objects?.copied === 0) return { state: 'good', title: 'Nothing to copy', lines }
  const proofs = Array.isArray(end.proof) ? end.proof : Object.keys(end.proof)
  if (copyWords.outcomeOf(proofs) === 'proved') return { state: 'good', title: 'Proved', lines }
  return { state: 'throttled', title: 'Known by the size alone', lines }
}

/** Of a job that another process ran. @param {ToldSentence} told @returns {Headline} */
function watchedHeadline(told) {
  const { plan, end } = told
  const lines = [...(end.ended ? [end.ended.message] : []), doneLine(told)]
  if (end.state === 'done') return { state: 'good', title: 'Done', lines }
  if (end.state === 'failed') return { state: 'failed', title: 'Failed', lines }
  if (end.state !== 'left') return { state: 'throttled', title: 'Stopped', lines, command: `xfer resume ${plan.job}` }
  return { state: 'usual', title: 'No longer watched', lines: ['The job goes on.'] }
}

/** The end of a hint, with the command that goes on with a job. */
const GO_ON = /[;,](?: then| to try the others again,)? go on with: (xfer resume \S+?(?: --state \S+?)?)\.?$/

/** Of a prefix: what failed first, and why. @param {ToldSentence} told @returns {string[]} a sentence, or none */
function firstFailure({ end, failures: { count, rows } }) {
  if (count === 0 || end.pairs) return []
  const [{ name, message }] = rows
  const others = count > 1 ? ` (the first of ${formatCount(count)})` : ''
  return [`${name}${others}: ${message}`]
}

/** @param {number | undefined} bytes of a part; a job that is watched does not tell it */
const sizeOf = bytes => (bytes === undefined ? [] : [formatBytes(bytes)])

/** @param {ToldSentence} told @returns {string} a sentence */
function doneLine({ plan, progress }) {
  const isWatchedPrefix = plan?.watched && plan.recursive && progress
  return isWatchedPrefix
    ? `${plural(progress.objectsDone, 'object')} copied.`
    : `${copyWords.doneSoFar(undefined, progress)}.`
}

/** Objects a second. @param {ToldSentence} told @returns {string} */
function objectsPace({ end = {}, progress = {}, ended, elapsedMs }) {
  const ms = Math.max(1, end.elapsedMs ?? progress.elapsedMs ?? elapsedMs)
  return formatPace((ended.objects * 1000) / ms)
}

/** A line of the terminal, with objects a second where a rate of bytes says little. @param {string} line @param {ToldSentence} told */
function paced(line, told) {
  return told.objectsSmall ? line.replace(`, ${formatRate(told.end.bytesPerSecond)}`, `, ${objectsPace(told)}`) : line
}

/** @param {ToldSentence} told */
function askedOf({ plan = {}, end = {}, resume }) {
  const { bytes, parts, partBytes, ranges, rangeBytes, attributes, endpoints } = plan
  const many = parts ?? ranges
  const what = { copy: 'everything below the prefix', sync: 'what differs', verify: 'compare everything' }
  return {
    Source: plan.source,
    Destination: plan.destination,
    Between: endpoints && `${endpoints.source} and ${endpoints.destination}`,
    What: plan.recursive && what[/** @type {keyof typeof what} */ (plan.recursive)],
    Move: plan.move && 'each source is deleted once its copy is proved',
    'Dry run': plan.dryRun && 'nothing is done',
    Engine: plan.engine && `${plan.engine}: ${plan.where} (${plan.why})`,
    Size: bytes > 0 && `${formatBytes(bytes)} (${formatCount(bytes)} bytes)`,
    [parts === undefined ? 'Ranges' : 'Parts']:
      many > 1 ? [formatCount(many), ...sizeOf(partBytes ?? rangeBytes)].join(' of ') : many === 1 && 'one',
    'Why this size': plan.chunkWhy,
    'Read back': plan.readBack > 0 && formatBytes(plan.readBack),
    Attributes: attributes && copyWords.attributesLine(attributes)[0]?.replace(/^With /, ''),
    Resumed: resume && `${plural(resume.parts, 'part')} with ${formatBytes(resume.bytes)} were there already`,
    Job: plan.job ?? end.job,
  }
}

/** @param {ToldSentence} told */
function figuresOf(told) {
  const { end = {}, progress = {}, failures, elapsedMs } = told
  const failed = failures.count
  const { objects, pairs, retried = progress.retried, throttled = progress.throttled, hedgedBytes } = end
  const bytes = end.bytes ?? bytesNow(told)
  const ms = end.elapsedMs ?? progress.elapsedMs ?? elapsedMs
  const moved = bytes - (progress.resumedBytes ?? 0)
  const rate = end.bytesPerSecond ?? (ms > 0 && moved > 0 ? (moved * 1000) / ms : 0)
  const copied = pairs?.equal ?? objects?.copied ?? progress.objectsDone
  const parts = end.parts ?? progress.partsDone
  return {
    ...(told.end === undefined && told.progress && soFar(told.progress)),
    Data: dataOf(told, bytes),
    [pairs ? 'Equal' : 'Objects']: copied !== undefined && formatCount(copied),
    Parts: parts !== undefined && formatCount(parts),
    Time: formatDuration(ms),
    Rate: told.objectsSmall ? objectsPace(told) : rate > 0 && formatRate(rate),
    [compares(told) ? 'Not equal' : 'Failed']: failed > 0 && formatCount(failed),
    Skipped: objects?.skipped > 0 && formatCount(objects.skipped),
    Deleted: objects?.deleted > 0 && formatCount(objects.deleted),
    Retried: retried > 0 && formatCount(retried),
    Throttled: throttled > 0 && formatCount(throttled),
    Hedged: hedgedBytes > 0 && formatBytes(hedgedBytes),
  }
}

/** @param {ToldSentence} told @returns {number | undefined} of a failed copy without those of parts that did not end */
function bytesNow({ plan = {}, end, progress = {}, resume, ended }) {
  const isOne = end?.type === 'error' && progress.phase === 'copying' && !plan.recursive
  return isOne ? ended.bytes + (resume?.bytes ?? 0) : progress.bytesDone
}

/** @param {ToldSentence} told @param {number | undefined} bytes */
function dataOf({ end, progress }, bytes) {
  if (bytes === undefined) return undefined
  const isOpen = end !== undefined || progress?.growing || !(progress?.bytesTotal > 0)
  return isOpen ? formatBytes(bytes) : `${formatBytes(bytes)} of ${formatBytes(progress.bytesTotal)}`
}

/** What is only known while it runs. @param {any} progress */
function soFar(progress) {
  const { bytesPerSecond, objectsPerSecond, etaMs, inFlight, growing, listing } = progress
  const percent = Math.floor(shareOf(progress) * 100)
  return {
    Done: !growing && percent >= 0 && `${percent} %${listing ? ' so far' : ''}`,
    'To go': etaMs !== undefined && `${formatEta(etaMs)}`,
    Now: bytesPerSecond > 0 && formatRate(bytesPerSecond),
    'Objects now': objectsPerSecond > 0 && formatPace(objectsPerSecond),
    'Under way': inFlight > 0 && formatCount(inFlight),
  }
}

/** @param {ToldSentence} told @returns {{ proof: string[], remarks: string[] }} sentences */
function proofOf(told) {
  const { end, proof } = told
  const isCopy = end?.proof && end.type === 'done'
  // Of a job that failed: of those objects that were copied.
  const clauses = !isCopy
    ? prefixWords.proofsOf(proof, Math.max(0, ...Object.values(proof)))
    : end.objects
      ? prefixWords.proofsOf(end.proof, end.objects.copied)
      : copyWords.proofsOf(end)
  const remarks = doneLines(told).slice(0, -1)
  return {
    proof: clauses.map(one => `${one[0].toUpperCase()}${one.slice(1)}.`),
    // What has a section of its own is not said here.
    remarks: remarks.filter(
      line => line !== end?.heldBack?.message && !line.startsWith('Cost: ') && !(isCopy && line.startsWith('Proof: ')),
    ),
  }
}

/** @param {ToldSentence} told */
function limitsOf({ plan = {}, progress }) {
  const slowed = progress?.slowed?.map(
    (/** @type {any} */ { store, limit }) =>
      `the ${store} throttled, and got ${plural(limit, 'invocation')} at once in the end`,
  )
  return {
    Platform: plan.limits && copyWords.limitsOf(plan.limits).join(', '),
    'At once': plan.concurrency && copyWords.atOnce(plan),
    Throttling: slowed?.join('; '),
    'Invocations a minute': progress?.waiting && 'those of the minute were used up at the end',
  }
}

module.exports = { wordsOf }
