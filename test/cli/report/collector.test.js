'use strict'

/** What the report keeps of a job, however many events it had; and how bars share lanes. */

const fc = require('fast-check')
const { createCollector } = require('../../../cli/report/collector')
const { createLanes } = require('../../../cli/report/over-time')

const START_MS = Date.parse('2026-03-04T05:06:07.000Z')

/** @param {Array<[afterMs: number, event: object]>} events */
function collect(events) {
  const { onEvent, data } = createCollector()
  for (const [afterMs, event] of events) onEvent({ ...event, time: new Date(START_MS + afterMs).toISOString() })
  return data()
}

const PAIRS = { listed: 2, equal: 1, differing: 0, missing: 1, extra: 0, failed: 0 }

const sum = values => values.reduce((one, other) => one + other, 0)
const part = (partNumber, elapsedMs, more) => ({
  type: 'part',
  partNumber,
  bytes: 1000,
  attempt: 1,
  elapsedMs,
  ...more,
})
const object = (name, more) => ({ type: 'object', action: 'copy', name, bytes: 1000, elapsedMs: 50, ...more })

test('no two bars of a lane overlap, in whatever order they come; ordered by start, no lane is needless', () => {
  const bar = fc.tuple(fc.nat(1000), fc.nat(200)).map(([startMs, ms]) => ({ startMs, endMs: startMs + ms }))
  fc.assert(
    fc.property(fc.array(bar, { maxLength: 60 }), fc.boolean(), (bars, ordered) => {
      if (ordered) bars.sort((a, b) => a.startMs - b.startMs)
      const { laneOf, count } = createLanes()
      const placed = bars.map(one => ({ ...one, lane: laneOf(one.startMs, one.endMs) }))
      const overlap = placed.some((a, at) =>
        placed.slice(0, at).some(b => a.lane === b.lane && a.startMs < b.endMs && b.startMs < a.endMs),
      )
      expect(overlap).toBe(false)
      if (!ordered) return
      const atOnce = bars.map(({ startMs }) => bars.filter(one => one.startMs <= startMs && one.endMs > startMs).length)
      expect(count()).toBeLessThanOrEqual(Math.max(0, ...atOnce) + 1)
    }),
  )
})

test('of however many objects the page keeps what is bounded, with every failure up to the bound', () => {
  const { onEvent, data } = createCollector()
  const name = 'ж'.repeat(130)
  let time = ''
  for (let at = 0; at < 100_000; at++) {
    if (at % 50 === 0) time = new Date(START_MS + at * 200).toISOString()
    if (at % 200 === 0)
      onEvent({ type: 'failure', name: `${at}${name}`, code: 'ACCESS_DENIED', message: name, hint: name, time })
    else onEvent(object(`${at}${name}`, { time, elapsedMs: at % 977 }))
  }
  const { bars, failures, timeline, slowest } = data()
  expect(Buffer.byteLength(JSON.stringify(data()))).toBeLessThan(5e6)
  expect(timeline.bytes.length).toBeLessThanOrEqual(600)
  expect(Math.abs(sum(timeline.bytes) - 99_500_000)).toBeLessThan(600)
  expect(sum(timeline.failed)).toBe(500)
  expect([failures.count, failures.rows.length, failures.codes]).toEqual([500, 100, { ACCESS_DENIED: 500 }])
  expect(bars.rows.filter(({ kind }) => kind === 'failed')).toHaveLength(500)
  expect([bars.seen, bars.rows.length < 4_020, bars.rows.length > 1_500]).toEqual([100_000, true, true])
  expect([slowest.length, slowest[0].endMs - slowest[0].startMs]).toEqual([20, 976])
})

test('the bytes of a part are spread over the time that it took, and buckets grow with the job', () => {
  const short = collect([
    [0, { type: 'plan' }],
    [400, part(1, 400)],
  ]).timeline
  expect([short.widthMs, short.bytes]).toEqual([100, [250, 250, 250, 250, 0]])
  const long = collect([
    [0, { type: 'plan' }],
    [1_000, part(1, 1_000)],
    [3_600_000, part(2, 10)],
  ]).timeline
  expect([long.widthMs, long.bytes.length <= 600, long.bytes[0], sum(long.bytes)]).toEqual([6_400, true, 1000, 2000])
})

test('parts that failed, were repeated or started twice are told apart', () => {
  const { bars, timeline } = collect([
    [0, { type: 'plan' }],
    [10, { type: 'retry', partNumber: 1, attempt: 1, code: 'STORE_ERROR', message: '' }],
    [20, { type: 'hedge', partNumber: 2, bytes: 1000, elapsedMs: 20 }],
    [30, part(1, 20, { attempt: 2 })],
    [40, part(2, 40)],
    [50, part(3, 50)],
  ])
  const kinds = bars.rows.map(({ name, kind, startMs }) => `${name} from ${startMs}: ${kind}`)
  expect(kinds.sort()).toEqual([
    'part 1 from 10: failed',
    'part 1 from 10: retried',
    'part 2 from 0: hedged',
    'part 3 from 0: usual',
  ])
  expect([sum(timeline.retried), sum(timeline.hedged)]).toEqual([1, 1])
})

test('an object of parts counts once, and is repeated if one of its parts is', () => {
  const { timeline, bars } = collect([
    [0, { type: 'plan', recursive: 'copy' }],
    [100, part(1, 100, { name: 'a', attempt: 2 })],
    [100, part(2, 100, { name: 'a' })],
    [150, object('a', { bytes: 2000, elapsedMs: 150 })],
    [150, object('b', { action: 'delete' })],
  ])
  expect(sum(timeline.bytes)).toBe(2000)
  expect(bars.rows).toEqual([
    expect.objectContaining({ name: 'a', kind: 'retried', bytes: 2000, startMs: 0, endMs: 150 }),
  ])
})

test('a comparison, which tells of no parts, has the throughput of its progress', () => {
  const { timeline, failures, words } = collect([
    [0, { type: 'plan', recursive: 'verify', source: 'a', destination: 'b', notices: [] }],
    [200, { type: 'progress', bytesDone: 600, objectsDone: 1, objectsTotal: 2 }],
    [210, { type: 'difference', name: 'x', found: 'missing', bytes: 3 }],
    [220, { type: 'error', code: 'OBJECTS_DIFFER', exitCode: 8, message: 'One differs.', hint: 'Look.', pairs: PAIRS }],
  ])
  expect(sum(timeline.bytes)).toBe(600)
  expect(failures.rows).toEqual([
    expect.objectContaining({ name: 'x', code: 'missing', message: expect.stringMatching(/^3 bytes at/) }),
  ])
  const ended = 'Ended after 0 s with OBJECTS_DIFFER (exit status 8): 1 of 2 names equal, 1 missing.'
  expect([words.headline.title, words.headline.lines]).toEqual(['Not equal', ['One differs.', 'Look.', ended]])
})

test('an outage lasts from the last answer to the next one, and a job without an end runs', () => {
  const outage = { type: 'outage', peer: 'source', where: 'x', message: 'No answer.' }
  const data = collect([
    [0, { type: 'plan' }],
    [5_000, { ...outage, forMs: 3_000, over: false }],
    [9_000, { ...outage, forMs: 7_000, over: true }],
  ])
  expect(data.outages).toEqual([expect.objectContaining({ fromMs: 2_000, toMs: 9_000 })])
  expect([data.running, data.words.headline.title]).toEqual([true, 'Under way'])
})

test('of several jobs the last one is kept', () => {
  const end = { type: 'error', code: 'INTERRUPTED', exitCode: 130, message: 'Stopped.', hint: '' }
  const data = collect([
    [0, { type: 'plan', source: 'a' }],
    [10, part(1, 10)],
    [20, end],
    [5_000, { type: 'plan', source: 'b' }],
    [5_010, end],
  ])
  expect([data.words.source, data.words.headline.title, data.bars.seen, data.elapsedMs]).toEqual([
    'b',
    'Stopped',
    0,
    10,
  ])
})

test('values that are no numbers count nothing', () => {
  const lies = { partNumber: 1, bytes: 'many', attempt: null, elapsedMs: -5 }
  const data = collect([
    [0, { type: 'plan' }],
    [10, { type: 'part', ...lies }],
    [20, { type: '__proto__' }],
    [5, { type: 'constructor' }],
  ])
  expect([sum(data.timeline.bytes), data.bars.rows.length]).toEqual([0, 1])
})
