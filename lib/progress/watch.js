'use strict'

/**
 * Watches the copy of one object: counts its events and invocations, and emits the progress. And how such numbers are told to
 * Prometheus.
 */

const { createActivity, createParts, createPhases } = require('./activity')

/** @typedef {import('../job/open').Context} Context */
/** @typedef {import('../job/open').Run} Run */

/**
 * @param {Pick<Context, 'engine' | 'run'>} job
 * @param {Pick<import('../types').Plan, 'bytes' | 'parts' | 'growing'>} plan
 * @param {{ startMs?: number, phase?: import('../types').Phase }} [job] startMs: when the job began; phase: what it begins with
 */
function watchProgress({ engine, run }, plan, { startMs = Date.now(), phase } = {}) {
  /** Read each time: the plan of a stream grows. */
  const totals = () => {
    const { over = true, sizeBytes } = plan.growing ?? {}
    return {
      bytesTotal: over ? plan.bytes : Math.max(plan.bytes, sizeBytes ?? 0),
      partsTotal: plan.parts.length,
      growing: !over && sizeBytes === undefined,
    }
  }
  let parts = createParts(totals, { startMs: Date.now() })
  let hedgedBytes = 0
  let resumedBytes = 0
  const phases = createPhases({ startMs, phase })
  const report = reportProgress(run, nowMs => {
    const { done, speed } = parts.at(nowMs)
    return { done: { ...phases.at(nowMs), ...done }, speed }
  })
  const { emit } = run
  run.watchedBy(event => {
    if (event.type === 'phase' && !phases.enter(event.phase, Date.now(), event.parts)) return false
    report.saw(event)
    parts.add(event, Date.now())
    if (event.type === 'hedge') hedgedBytes += event.bytes
    if (event.type === 'resume') resumedBytes = event.bytes
  })
  return {
    /** The engine, whose invocations are counted. */
    engine: { ...engine, run: report.counting(engine.run, (part, bytes) => parts.moved(part, bytes, Date.now())) },
    /** All parts are copied again. */
    restart() {
      parts = createParts(totals, { startMs: Date.now() })
      report.restart()
      resumedBytes = 0
      emit({ type: 'phase', phase: 'copying' })
    },
    /**
     * Registers the verification ranges: from now on the progress is about them.
     *
     * @param {import('../types').Part[]} ranges
     * @returns {Run['emit']} the listener for their events, which are not about parts of the copy
     */
    reading(ranges) {
      const bytesTotal = ranges.reduce((sum, { bytes }) => sum + bytes, 0)
      parts = createParts(() => ({ bytesTotal, partsTotal: ranges.length }), { startMs: Date.now() })
      emit({ type: 'phase', phase: 'verifying', bytes: bytesTotal })
      return event => {
        if (event.type === 'part') parts.add(event, Date.now())
        else emit(event)
      }
    },
    counts() {
      const { invocations, retried, throttled } = report.counts()
      return { invocations, retried, throttled, hedgedBytes, resumedBytes }
    },
    stop() {
      report.stop()
      report.tell()
    },
  }
}

/** Emits the event `progress`, for one object and for many, every half second. */

const PROGRESS_EVERY_MS = 500

/**
 * @template D
 * @param {object} work
 * @param {Pick<ReturnType<typeof createActivity>, 'counts' | 'underWay'>} work.activity
 * @param {(nowMs: number) => { done: D, speed: { bytesPerSecond: number, etaMs?: number } }} work.at done: bytes and the total
 * @param {number} nowMs
 */
function progressAt({ activity, at }, nowMs) {
  const { inFlight, retried, throttled } = activity.counts()
  const { done, speed } = at(nowMs)
  const underWay = activity.underWay(nowMs)
  return { ...done, inFlight, ...(underWay.length > 0 && { underWay }), retried, throttled, ...speed }
}

/**
 * Counts what a job does, and emits the progress until it is stopped.
 *
 * @param {Pick<import('../job/open').Run, 'emit' | 'pressure'>} run
 * @param {Parameters<typeof progressAt<any>>[0]['at']} at
 */
function reportProgress({ emit, pressure }, at) {
  const activity = createActivity({ now: Date.now })
  const work = { activity, at }
  const tell = () => emit({ type: 'progress', ...progressAt(work, Date.now()), ...pressure.hindrances() })
  const timer = setInterval(tell, PROGRESS_EVERY_MS)
  return { ...activity, tell, stop: () => clearInterval(timer) }
}

/**
 * One metric as a text for Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/
 *
 * @param {string} name a counter ends in `_total`
 * @param {string} help
 * @param {Array<[value: number, labels?: Record<string, string | number>]>} values
 */
function metricText(name, help, values) {
  const type = name.endsWith('_total') ? 'counter' : 'gauge'
  const lines = values.map(([value, labels = {}]) => `${name}${labelsText(labels)} ${value}\n`)
  return [`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`, ...lines].join('')
}

/** @param {Record<string, string | number>} labels */
function labelsText(labels) {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${String(value).replace(/["\\\n]/g, '_')}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

module.exports = { labelsText, metricText, progressAt, reportProgress, watchProgress }
