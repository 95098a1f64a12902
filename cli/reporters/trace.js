'use strict'

/**
 * `--trace`: what was under way when, for Perfetto (https://ui.perfetto.dev) and chrome://tracing. The array form of the Trace
 * Event Format, which may lack its end: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 */

const { createLanes } = require('../report/over-time')

/** The "processes" of the trace. */
const [JOB, OBJECTS, PARTS] = [1, 2, 3]
const TITLES = { [JOB]: 'Job', [OBJECTS]: 'Objects', [PARTS]: 'Parts' }
/** Told as moments. */
const MOMENTS = ['throttle', 'retry', 'hedge', 'outage', 'failure', 'phase', 'error']
/** So many characters are held at most. */
const HELD = 65_536

/**
 * @param {(text: string) => void} append
 * @returns {(event: any) => void}
 */
function createTrace(append) {
  const startedMs = Date.now()
  let text = '['
  let separator = '\n'
  let ended = false
  /** The copy of one object has no event of its own: this is its name. @type {string | undefined} */
  let single
  /** @type {Record<number, ReturnType<typeof createLanes>>} */
  const lanes = { [OBJECTS]: createLanes(), [PARTS]: createLanes() }

  /** @param {object} entry */
  function add(entry) {
    text += separator + JSON.stringify(entry)
    separator = ',\n'
    if (text.length > HELD) flush()
  }

  function flush() {
    append(text)
    text = ''
  }

  /** @param {{ time: string }} event @returns {number} microseconds since the start; a clock that is set back makes none that are negative */
  const timeOf = ({ time }) => Math.max(0, (Date.parse(time) - startedMs) * 1000)

  /** A bar ends when its event comes, so bars come in the order of their ends. @param {number} pid @param {string} name @param {any} event */
  function bar(pid, name, event) {
    const end = timeOf(event)
    const start = Math.max(0, end - Math.round(event.elapsedMs * 1000))
    const { laneOf, count } = lanes[pid]
    const before = count()
    const tid = laneOf(start, end)
    if (tid === before) add({ name: 'thread_name', ph: 'M', pid, tid, args: { name: `${TITLES[pid]} ${tid + 1}` } })
    const { bytes, attempt } = event
    add({ name, ph: 'X', ts: start, dur: end - start, pid, tid, args: { bytes, attempt } })
  }

  /** @param {any} event */
  function moment(event) {
    const { type, phase, name, partNumber, call, side, store, peer, over, code, attempt, delayMs, limit } = event
    const args = { name, partNumber, call, side, store, peer, over, code, attempt, delayMs, limit }
    add({ name: phase ?? type, ph: 'i', s: 'g', ts: timeOf(event), pid: JOB, tid: 0, args })
  }

  /** @param {string} name @param {any} event @param {number} value */
  const counter = (name, event, value) =>
    add({ name, ph: 'C', ts: timeOf(event), pid: JOB, tid: 0, args: { [name]: value } })

  for (const [pid, name] of Object.entries(TITLES))
    add({ name: 'process_name', ph: 'M', pid: Number(pid), tid: 0, args: { name } })

  return event => {
    const { type, name, elapsedMs } = event
    if (ended) return
    if (type === 'plan') single = event.dryRun || 'recursive' in event ? undefined : event.destination
    if (type === 'part') bar(PARTS, `${name === undefined ? '' : `${name}: `}part ${event.partNumber}`, event)
    if (type === 'object' && elapsedMs !== undefined) bar(OBJECTS, name, event)
    if (MOMENTS.includes(type)) moment(event)
    if (type === 'progress') {
      counter('bytes a second', event, event.bytesPerSecond)
      counter('in flight', event, event.inFlight)
      flush()
    }
    if (type === 'done' && single !== undefined) bar(OBJECTS, single, event)
    ended = type === 'done' || type === 'error'
    if (!ended) return
    text += '\n]\n'
    flush()
  }
}

module.exports = { createTrace }
