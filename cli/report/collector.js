'use strict'

/**
 * Gathers what the report of a job shows from its events, in constant memory. Of several jobs one after the other it keeps the
 * last one.
 */

const { formatCount } = require('../format')
const { shownName } = require('../reporters/copy-words')
const { createBars, shortened } = require('./bars')
const { createTimeline } = require('./timeline')
const { wordsOf } = require('./words')

/** @typedef {any} Event one of lib/api/events.d.ts */

const MOST_FAILURES = 100
/** Notices, phases and outages of each that are kept; and codes of failures. */
const MOST_MARKS = 50
/** Objects under way of which parts were told. */
const MOST_OPEN = 10_000
/** Messages are cut: stores may answer anything. */
const MOST_CHARS = 1_000

/** Of the histogram of times: buckets for each doubling. */
const PER_OCTAVE = 3

/** @param {unknown} value @returns {number} */
const numberOf = value => (typeof value === 'number' && value > 0 && value < Number.MAX_SAFE_INTEGER ? value : 0)
/** @param {unknown} value @param {number} [chars] */
const textOf = (value, chars = MOST_CHARS) => shortened(typeof value === 'string' ? value : '', chars)

function createCollector() {
  let job = createJob()
  return {
    /** @param {Event} event */
    onEvent(event) {
      if (job.ended() && event.type === 'plan') job = createJob()
      job.onEvent(event)
    },
    /** @returns plain JSON, which page.js draws */
    data: () => job.data(),
  }
}

function createJob() {
  const timeline = createTimeline()
  const bars = createBars()
  /** How many took so long. @type {number[]} */
  const histogram = []
  /** @type {{ plan?: Event, end?: Event, progress?: Event, resume?: Event }} */
  const told = {}
  /** @type {string[]} */
  const notices = []
  /** @type {Array<{ ms: number, phase: string }>} */
  const phases = []
  /** @type {Array<{ peer: string, fromMs: number, toMs?: number, text: string }>} */
  const outages = []
  const failures = { count: 0, codes: /** @type {Record<string, number>} */ ({}), rows: /** @type {object[]} */ ([]) }
  /** Of objects: how many were proved by each. @type {Record<string, number>} */
  const proof = {}
  /** What parts have told of objects that are not done. @type {Map<string, { bytes: number, kind: 'usual' | 'retried' | 'hedged' }>} */
  const open = new Map()
  /** Parts that were started twice. @type {Set<number>} */
  const hedged = new Set()
  let startMs = Number.NaN
  let nowMs = 0

  /** @param {string} name */
  function openOf(name) {
    const found = open.get(name)
    if (found) return found
    const made = { bytes: 0, kind: /** @type {'usual' | 'retried' | 'hedged'} */ ('usual') }
    if (open.size < MOST_OPEN) open.set(name, made)
    return made
  }

  /** @param {Omit<import('./bars').Bar, 'startMs' | 'endMs'>} bar @param {unknown} elapsedMs */
  function addBar(bar, elapsedMs) {
    const ms = numberOf(elapsedMs)
    const startMs = Math.max(0, nowMs - ms)
    bars.add({ ...bar, startMs, endMs: nowMs })
    if (bar.kind === 'failed') return
    timeline.spread('busy', startMs, nowMs, nowMs - startMs)
    const at = Math.floor(PER_OCTAVE * Math.log2(Math.max(1, ms)))
    histogram[at] = (histogram[at] ?? 0) + 1
  }

  /** @param {string} name @param {string} code @param {string} message @param {string} [hint] */
  function fail(name, code, message, hint = '') {
    failures.count++
    if (Object.hasOwn(failures.codes, code) || Object.keys(failures.codes).length < MOST_MARKS)
      failures.codes[code] = (failures.codes[code] ?? 0) + 1
    if (failures.rows.length >= MOST_FAILURES) return
    failures.rows.push({ name: shownName(name), code, message: textOf(message), hint: textOf(hint) })
  }

  /** @type {Record<string, (event: Event) => void>} */
  const ON = {
    plan(event) {
      told.plan = event
      for (const notice of event.notices ?? []) if (notices.length < MOST_MARKS) notices.push(textOf(notice))
    },
    resume(event) {
      if (event.name === undefined) told.resume = event
    },
    notice({ message }) {
      if (notices.length < MOST_MARKS) notices.push(textOf(message))
    },
    part({ name, partNumber, bytes, attempt, elapsedMs }) {
      timeline.spread('bytes', Math.max(0, nowMs - numberOf(elapsedMs)), nowMs, numberOf(bytes))
      const repeated = attempt > 1 ? 'retried' : 'usual'
      if (name === undefined) {
        const kind = hedged.delete(partNumber) ? 'hedged' : repeated
        return addBar({ name: `part ${partNumber}`, bytes: numberOf(bytes), kind, attempt }, elapsedMs)
      }
      const object = openOf(name)
      object.bytes += numberOf(bytes)
      if (object.kind === 'usual') object.kind = repeated
    },
    object({ action, name, bytes, elapsedMs, proof: proofs }) {
      const { bytes: told, kind } = open.get(name) ?? { bytes: 0, kind: 'usual' }
      open.delete(name)
      if (action !== 'copy' && action !== 'move') return
      for (const one of proofs ?? []) proof[one] = (proof[one] ?? 0) + 1
      const rest = Math.max(0, numberOf(bytes) - told)
      timeline.spread('bytes', Math.max(0, nowMs - numberOf(elapsedMs)), nowMs, rest)
      if (elapsedMs !== undefined) addBar({ name: shownName(name), bytes: numberOf(bytes), kind }, elapsedMs)
    },
    retry({ name, partNumber, attempt, code, call }) {
      timeline.count('retried', nowMs)
      if (name !== undefined) openOf(name).kind = 'retried'
      const whose = name === undefined ? '' : ` of ${shownName(name)}`
      const what = partNumber === undefined ? call : `part ${partNumber}`
      addBar({ name: `${what}${whose}`, bytes: 0, kind: 'failed', attempt, code }, 0)
    },
    throttle: () => timeline.count('throttled', nowMs),
    hedge({ name, partNumber }) {
      timeline.count('hedged', nowMs)
      if (name !== undefined) openOf(name).kind = 'hedged'
      else if (hedged.size < MOST_OPEN) hedged.add(partNumber)
    },
    outage({ peer, where, message = '', forMs, over }) {
      const open = outages.find(one => one.peer === peer && one.toMs === undefined)
      if (open && over) open.toMs = nowMs
      if (open || over || outages.length >= MOST_MARKS) return
      const text = `The ${peer} at ${where} did not answer. ${message}`
      outages.push({ peer, fromMs: Math.max(0, nowMs - numberOf(forMs)), text: textOf(text) })
    },
    phase({ phase, name }) {
      if (name === undefined && phases.length < MOST_MARKS) phases.push({ ms: nowMs, phase: textOf(phase) })
    },
    progress(event) {
      const { bytesDone } = event
      const before = told.progress ?? { bytesDone: 0, ms: 0 }
      told.progress = { ...event, ms: nowMs }
      // A new phase counts from the beginning.
      if (bytesDone > before.bytesDone) timeline.spread('read', before.ms, nowMs, bytesDone - before.bytesDone)
    },
    failure({ name, code, message, hint }) {
      open.delete(name)
      timeline.count('failed', nowMs)
      fail(name, code, message, hint)
      addBar({ name: shownName(name), bytes: 0, kind: 'failed', code }, 0)
    },
    difference(event) {
      timeline.count('failed', nowMs)
      const { name, found, reason, bytes = 0, bytesThere = 0 } = event
      const sizes = `${formatCount(bytes)} bytes at the source, ${formatCount(bytesThere)} at the destination`
      fail(name, found, found === 'differs' && event.why !== 'size' ? reason : sizes)
    },
    done(event) {
      told.end = event
    },
  }
  ON.error = ON.done

  return {
    ended: () => told.end !== undefined,

    /** @param {Event} event */
    onEvent(event) {
      const ms = Date.parse(event.time)
      if (Number.isNaN(startMs)) startMs = ms
      nowMs = Math.max(0, ms - startMs)
      if (Object.hasOwn(ON, event.type)) ON[event.type](event)
    },

    data() {
      const { rows, lanes, seen, slowest } = bars.data()
      const { read, ...columns } = timeline.data()
      const { heldBack, usage, cost } = told.end ?? {}
      return {
        running: told.end === undefined,
        items: told.plan?.recursive ? 'object' : 'part',
        startMs,
        elapsedMs: nowMs,
        words: wordsOf({ ...told, proof, failed: failures.count, elapsedMs: nowMs }),
        notices,
        phases,
        outages,
        // A comparison tells of no parts.
        timeline: columns.bytes.some((/** @type {number} */ one) => one > 0) ? columns : { ...columns, bytes: read },
        bars: { rows, lanes, seen },
        times: [...histogram].flatMap((count = 0, at) =>
          count > 0 ? [{ fromMs: 2 ** (at / PER_OCTAVE), at, count }] : [],
        ),
        slowest,
        failures,
        ...(heldBack && { heldBack }),
        ...(usage && { usage }),
        ...(cost && { cost }),
      }
    },
  }
}

module.exports = { createCollector }
