'use strict'

/** What measured requests say: rates, percentiles, how many at once help, which part size, how long a copy takes. Pure. */

const { createHistogram } = require('node:perf_hooks')

/** Rates of a step within this of each other are one rate. */
const SETTLED = 0.075
/** Completions that are compared. */
const LAST = 8
/** Twice as many at once help if they move this much more; after so many that do not, no more are tried. */
const HELPS = 1.1
const PATIENCE = 2
/** What reaches this share of the most is as good, and costs less. */
const NEARLY = 0.92
const MICROSECONDS = 1000
/** Samples of a step that a report has. */
const KEPT = 200

/**
 * A request that ended. lane: which of those at once; fromMs, toMs: by one clock.
 *
 * @typedef {{ lane: number, fromMs: number, toMs: number, firstByteMs: number, bytes: number }} ProbeSample
 *
 * @typedef {object} Times milliseconds
 * @property {number} count
 * @property {number} p50
 * @property {number} p95
 * @property {number} p99
 * @property {number} firstByteMs median, until the first byte of the answer
 * @property {number[]} ms those of some requests, to compare reports by: not more than `KEPT`, evenly taken
 *
 * @typedef {object} ProbeStep some requests of one kind and size, so many at once
 * @property {number} lanes
 * @property {number} requests
 * @property {number} refused by the store, because there were too many
 * @property {number} bytesPerSecond while all lanes were at work
 * @property {Times} times
 * @property {number} firstDoneMs when the first lane had nothing more to do
 * @property {number} lastDoneMs when the last had
 */

/** @param {number[]} values milliseconds @returns {{ p50: number, p95: number, p99: number }} */
function percentiles(values) {
  const histogram = createHistogram()
  for (const value of values) histogram.record(Math.max(1, Math.round(value * MICROSECONDS)))
  const at = (/** @type {number} */ share) => histogram.percentile(share) / MICROSECONDS
  return { p50: at(50), p95: at(95), p99: at(99) }
}

/** @param {number[]} values */
function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** @param {ProbeSample[]} samples @returns {Times} */
function timesOf(samples) {
  if (samples.length === 0) return { count: 0, p50: 0, p95: 0, p99: 0, firstByteMs: 0, ms: [] }
  const took = samples.map(({ fromMs, toMs }) => toMs - fromMs)
  const firstByteMs = percentiles(samples.map(one => one.firstByteMs)).p50
  const every = Math.ceil(took.length / KEPT)
  const ms = took.filter((_, i) => i % every === 0).map(one => Math.round(one * 100) / 100)
  return { count: took.length, ...percentiles(took), firstByteMs, ms }
}

/**
 * Of a request that goes on beyond that time, the share counts that lies within it: a request moves evenly.
 *
 * @param {ProbeSample[]} samples
 * @param {number} fromMs
 * @param {number} untilMs when the first lane had nothing more to do: until then all were at work
 * @returns {number} bytes per second of all lanes
 */
function rateOf(samples, fromMs, untilMs) {
  let bytes = 0
  for (const one of samples) {
    const within = Math.min(one.toMs, untilMs) - Math.max(one.fromMs, fromMs)
    if (within > 0) bytes += (one.bytes * within) / (one.toMs - one.fromMs)
  }
  return (bytes * 1000) / Math.max(0.001, untilMs - fromMs)
}

/** Whether the last rates of a step are one. @param {number[]} rates */
function isSettled(rates) {
  const last = rates.slice(-LAST)
  return last.length === LAST && Math.max(...last) - Math.min(...last) <= SETTLED * Math.max(...last)
}

/**
 * Whether twice as many at once are worth trying: until twice in a row they were not, because a step is short.
 *
 * @param {ProbeStep[]} steps of one size, more lanes each
 */
function helps(steps) {
  const best = Math.max(0, ...steps.slice(0, -PATIENCE).map(step => step.bytesPerSecond))
  return steps.slice(-PATIENCE).some(step => step.bytesPerSecond >= HELPS * best)
}

/** The highest rate of all. @param {Curve[]} curves */
function mostOf(curves) {
  return Math.max(0, ...curves.flatMap(({ steps }) => steps.map(step => step.bytesPerSecond)))
}

/** The fewest at once that move nearly the most. @param {ProbeStep[]} steps @returns {ProbeStep} */
function kneeOf(steps) {
  const most = Math.max(...steps.map(step => step.bytesPerSecond))
  return /** @type {ProbeStep} */ (steps.find(step => step.bytesPerSecond >= NEARLY * most))
}

/** rising: more at once may help, and were not tried. @typedef {{ bytes: number, steps: ProbeStep[], rising?: true }} Curve of one size */

/**
 * The smallest part that is moved nearly as fast as the fastest: less is lost by one that fails, and memory is less.
 *
 * @param {Curve[]} curves of parts
 * @returns {{ bytes: number, lanes: number, bytesPerSecond: number, rising?: true } | undefined} undefined: none was measured
 */
function recommend(curves) {
  const knees = curves.map(({ bytes, steps, rising }) => ({ ...kneeOf(steps), bytes, rising }))
  const most = Math.max(...knees.map(knee => knee.bytesPerSecond))
  const best = knees.find(knee => knee.bytesPerSecond >= NEARLY * most)
  // Where all was refused nothing is recommended.
  if (!best || most === 0) return undefined
  const { bytes, lanes, bytesPerSecond, rising } = best
  return { bytes, lanes, bytesPerSecond, ...(rising && { rising }) }
}

/** @param {Curve | undefined} curve @param {number} lanes @returns {ProbeStep | undefined} the step of so many lanes, or of the most below */
function stepAt(curve, lanes) {
  return curve?.steps.filter(step => step.lanes <= lanes).at(-1)
}

/** @param {Times} read @param {Times} write */
const partMs = ({ p50, firstByteMs }, write) => firstByteMs + Math.max(p50 - firstByteMs, write.p50)

/**
 * How many small objects a second are copied. A lane reads one, and then writes it: it is sent at once, when all of it is there.
 *
 * @param {Curve[]} gets of the source
 * @param {Curve[]} puts of the destination
 * @param {{ bytes: number, objects?: number }} what the size of each, and how many; absent: any number
 * @returns {import('../types').ProbedMany | undefined} undefined: that size was not measured on both
 */
function predictMany(gets, puts, { bytes, objects }) {
  const ofSize = (/** @type {Curve[]} */ curves) => curves.filter(curve => curve.bytes === bytes)
  const all = (objects ?? Number.POSITIVE_INFINITY) * bytes
  const found = predict(ofSize(gets), ofSize(puts), all, (read, write) => read.p50 + write.p50)
  if (!found) return undefined
  const { ms, bytesPerSecond, lanes, bottleneck, rising } = found
  const objectsPerSecond = bytesPerSecond / bytes
  const told = { bytes, objectsPerSecond, lanes, bottleneck, ...(rising && { rising }) }
  return { ...told, ...(objects !== undefined && { objects, ms }) }
}

/**
 * How long a copy takes. A lane reads a part and writes it at once: it waits for the first byte of the source, then for the slower
 * of both, then for the answer. All lanes together move no more than either store.
 *
 * @param {Curve[]} gets of the source
 * @param {Curve[]} puts of the destination
 * @param {number} bytes to copy
 * @param {(read: Times, write: Times) => number} [laneMs] how long a lane takes for one
 * @returns {{ ms: number, bytesPerSecond: number, partBytes: number, lanes: number, bottleneck: 'source' | 'destination' | 'requests', rising?: true } | undefined}
 *   requests: waiting for answers takes longer than moving bytes; undefined: nothing was measured on both
 */
function predict(gets, puts, bytes, laneMs = partMs) {
  /** @type {ReturnType<typeof predict>} */
  let best
  for (const put of puts) {
    const get = gets.find(curve => curve.bytes === put.bytes)
    for (const { lanes } of put.steps) {
      const [read, write] = [stepAt(get, lanes), stepAt(put, lanes)]
      if (!read || !write) continue
      const inWork = Math.min(lanes, Math.max(1, Math.ceil(bytes / put.bytes)))
      const ofLanes = (inWork * put.bytes * 1000) / laneMs(read.times, write.times)
      const bytesPerSecond = Math.min(read.bytesPerSecond, write.bytesPerSecond, ofLanes)
      if (!(bytesPerSecond > 0) || (best && bytesPerSecond <= best.bytesPerSecond / NEARLY)) continue
      const slower = read.bytesPerSecond < write.bytesPerSecond ? 'source' : 'destination'
      const bottleneck = ofLanes < NEARLY * Math.min(read.bytesPerSecond, write.bytesPerSecond) ? 'requests' : slower
      const rising = lanes === put.steps[put.steps.length - 1].lanes && (put.rising || get?.rising)
      const ms = (bytes / bytesPerSecond) * 1000
      best = { ms, bytesPerSecond, partBytes: put.bytes, lanes, bottleneck, ...(rising && { rising }) }
    }
  }
  return best
}

const EXPECTATION = /^(get|put|head)\.(p50|p95|p99|rate)([<>])(\d+(?:\.\d+)?)(ms|s|MB\/s|MiB\/s)$/
const UNITS = { ms: 1, s: 1000, 'MB/s': 1e6, 'MiB/s': 1024 ** 2 }

/**
 * @param {string} text such as `put.p99<200ms` or `get.rate>100MB/s`
 * @returns {{ op: 'get' | 'put' | 'head', of: 'p50' | 'p95' | 'p99' | 'rate', above: boolean, value: number } | undefined} value: milliseconds,
 *   or bytes per second; undefined: it is none
 */
function parseExpectation(text) {
  const [, op, of, sign, number, unit] = EXPECTATION.exec(text.replaceAll(' ', '')) ?? []
  if (op === undefined || (of === 'rate') !== unit.endsWith('/s')) return undefined
  const value = Number(number) * UNITS[/** @type {keyof typeof UNITS} */ (unit)]
  return /** @type {any} */ ({ op, of, above: sign === '>', value })
}

module.exports = {
  helps,
  isSettled,
  kneeOf,
  medianOf,
  mostOf,
  parseExpectation,
  predict,
  predictMany,
  rateOf,
  recommend,
  timesOf,
}
