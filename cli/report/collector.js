'use strict'

/**
 * Gathers what the report of a job shows from its events, in constant memory. Of several jobs one after the other it keeps the
 * last one.
 */

const { formatCount, plural } = require('../format')
const { shownName } = require('../reporters/copy-words')
const { createBars, createTimeline, createTimes, shortened } = require('./over-time')
const { shareOf } = require('../reporters/progress-words')
const { wordsOf } = require('./words')

/** @typedef {any} ReportEvent one of lib/api/events.d.ts */

const MOST_FAILURES = 100
/** Notices, phases and outages of each that are kept. */
const MOST_MARKS = 50
/** Objects under way of which parts were told. */
const MOST_OPEN = 10_000
/** Messages are cut: stores may answer anything. */
const MOST_CHARS = 1_000

/** Of objects that are smaller on average a second is told in objects, not in bytes. */
const SMALL_BYTES = 256 * 1024
/** Of what is under way so much is drawn. */
const MOST_UNDER_WAY = 50
/** Small objects are proved many at a time; if that lasts longer than this, what comes later was copied later. */
const LONGEST_ROUND_MS = 2_000

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
  const times = createTimes()
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
  /** What parts have told of objects that are not done. @type {Map<string, { bytes: number, kind: import('./over-time').BarKind }>} */
  const open = new Map()
  /** Parts that were started twice. @type {Set<number>} */
  const hedged = new Set()
  /** What has ended. */
  const ended = { bytes: 0, objects: 0 }
  /** Whether the progress has told of bytes before what they belong to had ended. */
  let flows = false
  /** Parts that have ended since the last progress, which still tells of them. @type {Set<number>} */
  const over = new Set()
  /** Objects that were told one after the other, and were copied since `fromMs`. */
  let round = { objects: 0, fromMs: 0, firstMs: 0, toMs: 0 }
  let startMs = Number.NaN
  let nowMs = 0

  /** @param {unknown} ms @returns {number} when what took so long began */
  const begunAt = ms => Math.max(0, nowMs - numberOf(ms))

  /** @param {string} name @returns {{ bytes: number, kind: import('./over-time').BarKind }} */
  function openOf(name) {
    const object = open.get(name) ?? { bytes: 0, kind: 'usual' }
    if (open.size < MOST_OPEN) open.set(name, object)
    return object
  }

  /** @param {Omit<import('./over-time').Bar, 'startMs' | 'endMs'> & { kind: import('./over-time').BarKind }} bar @param {unknown} [elapsedMs] */
  function addBar(bar, elapsedMs) {
    const startMs = begunAt(elapsedMs)
    bars.add({ ...bar, startMs, endMs: nowMs })
    if (bar.kind === 'failed') return
    timeline.spread('busy', startMs, nowMs, nowMs - startMs)
    times.add(numberOf(elapsedMs))
  }

  /** @param {number} fromMs @param {number} bytes of what has ended */
  function moved(fromMs, bytes) {
    timeline.spread('bytes', fromMs, nowMs, bytes)
    ended.bytes += bytes
  }

  /** Its objects were copied when the bytes moved, and not all at its end. */
  function endRound() {
    const { objects, fromMs, toMs } = round
    if (objects === 0) return
    timeline.follow('objects', { as: 'read', fromMs, toMs, amount: objects })
    round = { ...round, objects: 0, fromMs: toMs }
  }

  /** What is under way, as bars without an end. @returns {import('./over-time').Bar[]} */
  function openBars() {
    const { underWay, ms = 0, phase } = told.progress ?? {}
    if (told.end || !Array.isArray(underWay)) return []
    const noun = told.plan?.recursive ? 'object' : phase === 'verifying' ? 'range' : 'part'
    const still = underWay.filter(one => noun === 'object' || one.tasks > 1 || !over.has(one.partNumber))
    return still.slice(0, MOST_UNDER_WAY).map(({ partNumber, tasks = 1, bytes, bytesDone, forMs }) => ({
      name: tasks > 1 ? plural(numberOf(tasks), noun) : noun === 'object' ? noun : `${noun} ${numberOf(partNumber)}`,
      kind: /** @type {const} */ ('open'),
      startMs: Math.max(0, ms - numberOf(forMs)),
      endMs: nowMs,
      bytes: numberOf(bytes),
      ...(bytesDone !== undefined && { bytesDone: numberOf(bytesDone) }),
    }))
  }

  /** Whether a second is told in objects. */
  const isSmall = () => ended.objects > 0 && ended.bytes < SMALL_BYTES * ended.objects

  /** How much is done, where that can be said: 0 to 1. @returns {{ share?: number }} */
  function shareNow() {
    const { end, progress } = told
    const share = end || !progress || progress.growing ? Number.NaN : shareOf(progress)
    return Number.isFinite(share) ? { share } : {}
  }

  /** The columns that are drawn: bytes, and invocations under way, which are never more than the plan allows. */
  function drawnTimeline() {
    const { read, flight, busy, objects, ...columns } = timeline.data()
    const any = (/** @type {number[]} */ values) => values.some(one => one > 0)
    const most = (numberOf(told.plan?.concurrency) || Number.POSITIVE_INFINITY) * columns.widthMs
    return {
      ...columns,
      // A comparison tells of no parts.
      bytes: flows || !any(columns.bytes) ? read : columns.bytes,
      // Of the last ones it is not known yet.
      objects: told.end
        ? objects
        : objects.map((/** @type {number} */ one, /** @type {number} */ at) =>
            at * columns.widthMs <= round.fromMs ? one : null,
          ),
      busy: (any(flight) ? flight : busy).map((/** @type {number} */ ms) => Math.min(ms, most)),
    }
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
      told.plan = { ...event, ms: nowMs }
      for (const message of event.notices ?? []) ON.notice({ message })
    },
    resume(event) {
      if (event.name === undefined) told.resume = event
    },
    notice: ({ message }) => keep(notices, textOf(message)),
    part({ name, partNumber, bytes, attempt, elapsedMs }) {
      moved(begunAt(elapsedMs), numberOf(bytes))
      const kind = attempt > 1 ? 'retried' : 'usual'
      if (name === undefined) {
        if (over.size < MOST_OPEN) over.add(partNumber)
        const bar = { name: `part ${partNumber}`, bytes: numberOf(bytes), attempt }
        return addBar({ ...bar, kind: hedged.delete(partNumber) ? 'hedged' : kind }, elapsedMs)
      }
      const object = openOf(name)
      object.bytes += numberOf(bytes)
      if (object.kind === 'usual') object.kind = kind
    },
    object({ action, name, bytes, elapsedMs, proof: proofs = [] }) {
      const { bytes: before, kind } = openOf(name)
      open.delete(name)
      if (action !== 'copy' && action !== 'move') return
      for (const one of proofs) count(proof, one)
      if (round.objects++ === 0) round.firstMs = nowMs
      round.toMs = nowMs
      ended.objects++
      // The next progress comes later, and the page shows both.
      if (told.progress) told.progress.objectsDone = Math.max(numberOf(told.progress.objectsDone), ended.objects)
      moved(begunAt(elapsedMs), Math.max(0, numberOf(bytes) - before))
      if (elapsedMs !== undefined) addBar({ name: shownName(name), bytes: numberOf(bytes), kind }, elapsedMs)
    },
    retry({ name, partNumber, attempt, code, call }) {
      timeline.count('retried', nowMs)
      if (name !== undefined) openOf(name).kind = 'retried'
      if (name === undefined && partNumber !== undefined && over.size < MOST_OPEN) over.add(partNumber)
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
      over.clear()
      // What earlier runs had copied does not move.
      const movedBytes = Math.max(0, numberOf(event.bytesDone) - numberOf(event.resumedBytes))
      const before = told.progress ?? { movedBytes: 0, inFlight: 0, ms: numberOf(told.plan?.ms) }
      told.progress = { ...event, movedBytes, ms: nowMs }
      if (event.phase === 'copying' && movedBytes > ended.bytes) flows = true
      // A new phase counts from the beginning.
      const isAnew = event.phase !== before.phase && movedBytes < before.movedBytes
      const more = movedBytes - (isAnew ? 0 : before.movedBytes)
      if (more > 0) timeline.spread('read', before.ms, nowMs, more)
      if (round.toMs < before.ms || nowMs - round.firstMs > LONGEST_ROUND_MS) endRound()
      const most = Math.max(numberOf(event.inFlight), numberOf(before.inFlight))
      timeline.spread('flight', before.ms, nowMs, most * (nowMs - before.ms))
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
    /** A job that another process runs: see `attach`. */
    job(event) {
      const { state, id, source, destination, recursive, copied, createdMs } = event
      const { bytes, parts, partsDone } = event
      const isOpen = state === 'running' || state === 'waiting'
      // A folder forgets a job that is done.
      const all = state === 'done' && !recursive
      const bytesDone = all ? numberOf(bytes) : numberOf(event.bytesDone) + numberOf(copied?.bytes)
      if (!told.plan) ON.plan({ source, destination, bytes, parts, recursive, job: id, watched: true })
      // It may not have been planned at the first look.
      else Object.assign(told.plan, { bytes, parts })
      const counts = recursive
        ? { objectsDone: numberOf(copied?.objects), objectsTotal: numberOf(copied?.objects), growing: true }
        : {
            partsDone: numberOf(all ? parts : partsDone),
            partsTotal: numberOf(parts),
            ...(bytes === undefined && { growing: true }),
          }
      const before = told.progress
      const elapsedMs = Number.isNaN(startMs) ? 0 : Math.max(0, startMs + nowMs - numberOf(createdMs))
      ON.progress({
        phase: 'copying',
        bytesDone,
        bytesTotal: numberOf(bytes),
        elapsedMs,
        ...counts,
        // What was there at the first look was moved before it.
        resumedBytes: before ? before.resumedBytes : bytesDone,
        ...(before && { bytesPerSecond: ((bytesDone - before.bytesDone) * 1000) / Math.max(1, nowMs - before.ms) }),
      })
      if (!isOpen) told.end = { type: 'job', state, ended: event.ended }
    },
    done(event) {
      endRound()
      // The watching ended, or the job had.
      if (!told.plan?.watched) told.end = event
      else told.end ??= { type: 'job', state: 'left' }
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
      const { rows, lanes, seen, slowest } = bars.data(openBars())
      const objectsSmall = isSmall()
      const { heldBack, usage, cost } = told.end ?? {}
      return {
        running: told.end === undefined,
        items: told.plan?.recursive ? 'object' : 'part',
        startMs,
        elapsedMs: nowMs,
        ...shareNow(),
        perSecond: objectsSmall ? 'objects' : 'bytes',
        words: wordsOf({ ...told, proof, failures, elapsedMs: nowMs, ended, objectsSmall }),
        notices,
        phases,
        outages,
        timeline: drawnTimeline(),
        bars: { rows, lanes, seen },
        ...times.data(),
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
