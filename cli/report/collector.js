'use strict'

/**
 * Gathers what the report of a job shows from its events, in constant memory. Of several jobs one after the other it keeps the
 * last one.
 */

const { formatCount } = require('../format')
const { shownName } = require('../reporters/copy-words')
const { createBars, createTimeline, shortened } = require('./over-time')
const { wordsOf } = require('./words')

/** @typedef {any} ReportEvent one of lib/api/events.d.ts */

const MOST_FAILURES = 100
/** Notices, phases and outages of each that are kept. */
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
    /** @param {ReportEvent} event */
    onEvent(event) {
      if (job.ended() && event.type === 'plan') job = createJob()
      job.onEvent(event)
    },
    /** @returns plain JSON, which page.js draws */
    data: () => job.data(),
  }
}

/** @param {Record<string, number>} counts @param {string} name */
const count = (counts, name) => {
  counts[name] = (counts[name] ?? 0) + 1
}
/** @template T @param {T[]} list @param {T} item @param {number} [most] */
const keep = (list, item, most = MOST_MARKS) => {
  if (list.length < most) list.push(item)
}

function createJob() {
  const timeline = createTimeline()
  const bars = createBars()
  /** How many took so long. @type {number[]} */
  const histogram = []
  /** @type {{ plan?: ReportEvent, end?: ReportEvent, progress?: ReportEvent, resume?: ReportEvent }} */
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
  /** What parts have told of objects that are not done. @type {Map<string, { bytes: number, kind: import('./over-time').Bar['kind'] }>} */
  const open = new Map()
  /** Parts that were started twice. @type {Set<number>} */
  const hedged = new Set()
  let startMs = Number.NaN
  let nowMs = 0

  /** @param {unknown} ms @returns {number} when what took so long began */
  const begunAt = ms => Math.max(0, nowMs - numberOf(ms))

  /** @param {string} name @returns {{ bytes: number, kind: import('./over-time').Bar['kind'] }} */
  function openOf(name) {
    const object = open.get(name) ?? { bytes: 0, kind: 'usual' }
    if (open.size < MOST_OPEN) open.set(name, object)
    return object
  }

  /** @param {Omit<import('./over-time').Bar, 'startMs' | 'endMs'>} bar @param {unknown} [elapsedMs] */
  function addBar(bar, elapsedMs) {
    const startMs = begunAt(elapsedMs)
    bars.add({ ...bar, startMs, endMs: nowMs })
    if (bar.kind === 'failed') return
    timeline.spread('busy', startMs, nowMs, nowMs - startMs)
    const at = Math.floor(PER_OCTAVE * Math.log2(Math.max(1, numberOf(elapsedMs))))
    histogram[at] = (histogram[at] ?? 0) + 1
  }

  /** @param {string} name @param {string} code @param {string} message @param {string} [hint] */
  function fail(name, code, message, hint) {
    timeline.count('failed', nowMs)
    failures.count++
    count(failures.codes, code)
    keep(failures.rows, { name: shownName(name), code, message: textOf(message), hint: textOf(hint) }, MOST_FAILURES)
  }

  /** @type {Record<string, (event: ReportEvent) => void>} */
  const ON = {
    plan(event) {
      told.plan = event
      for (const message of event.notices ?? []) ON.notice({ message })
    },
    resume(event) {
      if (event.name === undefined) told.resume = event
    },
    notice: ({ message }) => keep(notices, textOf(message)),
    part({ name, partNumber, bytes, attempt, elapsedMs }) {
      timeline.spread('bytes', begunAt(elapsedMs), nowMs, numberOf(bytes))
      const kind = attempt > 1 ? 'retried' : 'usual'
      if (name === undefined) {
        const bar = { name: `part ${partNumber}`, bytes: numberOf(bytes), attempt }
        return addBar({ ...bar, kind: hedged.delete(partNumber) ? 'hedged' : kind }, elapsedMs)
      }
      const object = openOf(name)
      object.bytes += numberOf(bytes)
      if (object.kind === 'usual') object.kind = kind
    },
    object({ action, name, bytes, elapsedMs, proof: proofs = [] }) {
      const { bytes: told, kind } = openOf(name)
      open.delete(name)
      if (action !== 'copy' && action !== 'move') return
      for (const one of proofs) count(proof, one)
      timeline.spread('bytes', begunAt(elapsedMs), nowMs, Math.max(0, numberOf(bytes) - told))
      if (elapsedMs !== undefined) addBar({ name: shownName(name), bytes: numberOf(bytes), kind }, elapsedMs)
    },
    retry({ name, partNumber, attempt, code, call }) {
      timeline.count('retried', nowMs)
      if (name !== undefined) openOf(name).kind = 'retried'
      const whose = name === undefined ? '' : ` of ${shownName(name)}`
      const what = partNumber === undefined ? call : `part ${partNumber}`
      addBar({ name: `${what}${whose}`, bytes: 0, kind: 'failed', attempt, code })
    },
    throttle: () => timeline.count('throttled', nowMs),
    hedge({ name, partNumber }) {
      timeline.count('hedged', nowMs)
      if (name === undefined) hedged.add(partNumber)
      else openOf(name).kind = 'hedged'
    },
    outage({ peer, where, message = '', forMs, over }) {
      const open = outages.find(one => one.peer === peer && one.toMs === undefined)
      if (open && over) open.toMs = nowMs
      const text = textOf(`The ${peer} at ${where} did not answer. ${message}`)
      if (!open && !over) keep(outages, { peer, fromMs: begunAt(forMs), text })
    },
    phase({ phase, name }) {
      if (name === undefined) keep(phases, { ms: nowMs, phase: textOf(phase) })
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
      fail(name, code, message, hint)
      addBar({ name: shownName(name), bytes: 0, kind: 'failed', code })
    },
    difference({ name, found, reason, why, bytes = 0, bytesThere = 0 }) {
      const sizes = `${formatCount(bytes)} bytes at the source, ${formatCount(bytesThere)} at the destination`
      fail(name, found, found === 'differs' && why !== 'size' ? reason : sizes)
    },
    done(event) {
      told.end = event
    },
  }
  ON.error = ON.done

  return {
    ended: () => told.end !== undefined,

    /** @param {ReportEvent} event */
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
        times: histogram.flatMap((count, at) => [{ at, count }]),
        slowest,
        failures,
        heldBack,
        usage,
        cost,
      }
    },
  }
}

module.exports = { createCollector }
