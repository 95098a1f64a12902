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

const PLAN = [0, { type: 'plan' }]
const PAIRS = { listed: 2, equal: 1, differing: 0, missing: 1, extra: 0, failed: 0 }

const sum = values => values.reduce((one, other) => one + other, 0)
const part = (partNumber, elapsedMs, how) => ({ type: 'part', partNumber, bytes: 1000, attempt: 1, elapsedMs, ...how })
/** What begins a job of many objects. */
const MANY = [0, { type: 'plan', recursive: 'copy', concurrency: 4, notices: [] }]
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
  const short = collect([PLAN, [400, part(1, 400)]]).timeline
  expect([short.widthMs, short.bytes]).toEqual([100, [250, 250, 250, 250, 0]])
  const long = collect([PLAN, [1_000, part(1, 1_000)], [3_600_000, part(2, 10)]]).timeline
  expect([long.widthMs, long.bytes.length <= 600, long.bytes[0], sum(long.bytes)]).toEqual([6_400, true, 1000, 2000])
})

test('parts that failed, were repeated or started twice are told apart', () => {
  const { bars, timeline } = collect([
    PLAN,
    [10, { type: 'retry', partNumber: 1, attempt: 1, code: 'STORE_ERROR', message: '' }],
    [20, { type: 'hedge', partNumber: 2, bytes: 1000, elapsedMs: 20 }],
    [30, part(1, 20, { attempt: 2 })],
    [40, part(2, 40)],
    [50, part(3, 50)],
  ])
  const kinds = bars.rows.map(({ name, kind, startMs }) => `${name} from ${startMs}: ${kind}`)
  const firsts = ['part 1 from 10: failed', 'part 1 from 10: retried']
  expect(kinds.sort()).toEqual([...firsts, 'part 2 from 0: hedged', 'part 3 from 0: usual'])
  expect([sum(timeline.retried), sum(timeline.hedged)]).toEqual([1, 1])
})

test('an object of parts counts once, and is repeated if one of its parts is', () => {
  const { timeline, bars } = collect([
    MANY,
    [100, part(1, 100, { name: 'a', attempt: 2 })],
    [100, part(2, 100, { name: 'a' })],
    [150, object('a', { bytes: 2000, elapsedMs: 150 })],
    [150, object('b', { action: 'delete' })],
  ])
  expect(sum(timeline.bytes)).toBe(2000)
  expect(bars.rows).toMatchObject([{ name: 'a', kind: 'retried', bytes: 2000, startMs: 0, endMs: 150 }])
})

test('a comparison, which tells of no parts, has the throughput of its progress', () => {
  const { timeline, failures, words } = collect([
    [0, { type: 'plan', recursive: 'verify', source: 'a', destination: 'b', notices: [] }],
    [200, { type: 'progress', bytesDone: 600, objectsDone: 1, objectsTotal: 2 }],
    [210, { type: 'difference', name: 'x', found: 'missing', bytes: 3 }],
    [220, { type: 'error', code: 'OBJECTS_DIFFER', exitCode: 8, message: 'One differs.', hint: 'Look.', pairs: PAIRS }],
  ])
  expect(sum(timeline.bytes)).toBe(600)
  expect(failures.rows).toMatchObject([{ name: 'x', code: 'missing', message: expect.stringMatching(/^3 bytes at/) }])
  const ended = 'Ended after 0 s with OBJECTS_DIFFER (exit status 8): 1 of 2 names equal, 1 missing.'
  expect([words.headline.title, words.headline.lines]).toEqual(['Not equal', ['One differs.', 'Look.', ended]])
})

test('an outage lasts from the last answer to the next one, and a job without an end runs', () => {
  const outage = { type: 'outage', peer: 'source', where: 'x', message: 'No answer.' }
  const told = (forMs, over) => ({ ...outage, forMs, over })
  const data = collect([PLAN, [5_000, told(3_000, false)], [9_000, told(7_000, true)]])
  expect(data.outages).toMatchObject([{ fromMs: 2_000, toMs: 9_000 }])
  expect([data.running, data.words.headline.title]).toEqual([true, 'Under way'])
})

test('of several jobs the last one is kept', () => {
  const end = { type: 'error', code: 'INTERRUPTED', exitCode: 130, message: 'Stopped.', hint: '' }
  const { words, bars, elapsedMs } = collect([
    [0, { type: 'plan', source: 'a' }],
    [10, part(1, 10)],
    [20, end],
    [5_000, { type: 'plan', source: 'b' }],
    [5_010, end],
  ])
  expect([words.source, words.headline.title, bars.seen, elapsedMs]).toEqual(['b', 'Stopped', 0, 10])
})

test('values that are no numbers count nothing', () => {
  const lies = { type: 'part', partNumber: 1, bytes: 'many', attempt: null, elapsedMs: -5 }
  const data = collect([PLAN, [10, lies], [20, { type: '__proto__' }], [5, { type: 'constructor' }]])
  expect([sum(data.timeline.bytes), data.bars.rows.length]).toEqual([0, 1])
})

const TOTALS = { bytesTotal: 4000, partsDone: 0, partsTotal: 4 }
const progress = more => ({ type: 'progress', phase: 'copying', ...TOTALS, ...more })

test('what flows is drawn before the first part has ended, and what is under way as bars without an end', () => {
  const underWay = [
    { partNumber: 1, bytes: 2000, bytesDone: 600, forMs: 900 },
    { partNumber: 2, tasks: 3, bytes: 2000, forMs: 400 },
  ]
  const flows = { bytesDone: 1600, resumedBytes: 1000, bytesPerSecond: 600, etaMs: 4_000, inFlight: 2, underWay }
  const events = [
    [0, { type: 'plan', concurrency: 2, notices: [] }],
    [1_000, progress(flows)],
  ]
  const { timeline, bars, share, words } = collect(events)
  expect([sum(timeline.bytes), share]).toEqual([600, 0.4])
  expect(timeline.busy.slice(0, 10).map(ms => ms / timeline.widthMs)).toEqual(Array(10).fill(2))
  expect(bars.rows).toMatchObject([
    { name: 'part 1', kind: 'open', startMs: 100, endMs: 1_000, bytesDone: 600 },
    { name: '3 parts', kind: 'open', startMs: 600, endMs: 1_000 },
  ])
  const figures = { Done: '40 %', Data: '1.56 KiB of 3.91 KiB', 'To go': '4 s', Now: '600 B/s', 'Under way': '2' }
  expect(Object.fromEntries(words.figures)).toMatchObject(figures)
  // A part that has ended since is not under way; nothing is once the job has ended.
  const later = collect([...events, [1_200, part(1, 1_100)]])
  expect(sum(later.timeline.bytes)).toBe(600)
  expect(later.bars.rows.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['part 1 usual', '3 parts open'])
  const end = { type: 'error', code: 'STALLED', exitCode: 1, message: 'It stalled.', hint: 'Look.' }
  expect(collect([...events, [1_300, end]]).bars.rows).toEqual([])
})

test('however many are said to be under way, a bounded number is drawn', () => {
  const underWay = Array.from({ length: 10_000 }, (_, at) => ({ partNumber: at + 1, bytes: 1, forMs: 5 }))
  expect(collect([[0, progress({ bytesDone: 0, underWay })]]).bars.rows).toHaveLength(50)
})

test('a quantile is a time that something took: none is above the slowest', () => {
  const { quantiles, slowest } = collect([
    PLAN,
    ...Array.from({ length: 100 }, (_, at) => [20_000, part(at + 1, at < 98 ? 9_000 + at : 14_000)]),
  ])
  expect(quantiles).toMatchObject([{ percent: 50 }, { percent: 95 }, { percent: 99, ms: 14_000 }])
  expect(quantiles[0].ms).toBeGreaterThanOrEqual(9_000)
  expect(quantiles[1].ms).toBeLessThan(9_100)
  expect(slowest[0].endMs - slowest[0].startMs).toBe(14_000)
})

test('no more are shown under way at once than the plan says', () => {
  const { timeline } = collect([MANY, ...Array.from('0123456789', name => [100, object(name, { elapsedMs: 100 })])])
  expect(Math.max(...timeline.busy) / timeline.widthMs).toBe(4)
})

test('small objects are told in objects a second, large ones in bytes', () => {
  const run = bytes => collect([MANY, ...Array.from({ length: 10 }, (_, at) => [2_000, object(`${at}`, { bytes })])])
  const [small, large] = [run(4096), run(8 * 1024 ** 2)]
  expect([small.perSecond, Object.fromEntries(small.words.figures).Rate]).toEqual(['objects', '5 objects/s'])
  expect([large.perSecond, sum(large.timeline.bytes)]).toEqual(['bytes', 80 * 1024 ** 2])
})

test('objects that are proved many at a time are drawn when their bytes moved', () => {
  const copying = { type: 'progress', phase: 'copying', objectsDone: 0, objectsTotal: 60 }
  const moves = (ms, bytesDone) => [ms, { ...copying, bytesDone }]
  const rounds = [
    MANY,
    ...[500, 1_000, 1_500, 2_000, 2_500].map(ms => moves(ms, 10 * ms)),
    ...Array.from({ length: 30 }, (_, at) => [2_600, object(`${at}`, { bytes: 1_000, elapsedMs: 200 })]),
  ]
  // The page shows the sum and the proofs together.
  expect(collect(rounds).words.headline.lines).toEqual(['30 of 60 objects copied.'])
  const { widthMs, objects } = collect([...rounds, moves(3_000, 30_000), moves(3_500, 35_000)]).timeline
  const known = objects.filter(one => one !== null)
  expect(sum(known)).toBeCloseTo(30, 0)
  expect(Math.max(...known)).toBeLessThan(2)
  expect(known.length).toBe(2_600 / widthMs + 1)
})

test('a failure begins with what failed, why, and the command to go on', () => {
  const job = '20260304T050607Z-abcd'
  const hint = `What was copied is kept; go on with: xfer resume ${job} --state s3://state/x`
  const error = { type: 'error', code: 'OBJECTS_FAILED', exitCode: 1, message: '2 of 5 objects failed.', hint, job }
  const failure = { type: 'failure', name: 'a', code: 'ACCESS_DENIED', message: 'It was refused.', hint: 'Ask.' }
  const { words, failures } = collect([MANY, [5, failure], [6, { ...failure, name: 'b' }], [9, error]])
  const { headline } = words
  expect(failures.rows).toMatchObject([{ name: 'a', code: 'ACCESS_DENIED', hint: 'Ask.' }, { name: 'b' }])
  expect(headline.command).toBe(`xfer resume ${job} --state s3://state/x`)
  expect(headline.lines.slice(0, 2)).toEqual(['2 of 5 objects failed.', 'a (the first of 2): It was refused.'])
  const other = collect([
    [0, { type: 'plan', parts: 3, partBytes: 5, notices: [] }],
    [9, { ...error, hint: 'Look.' }],
  ])
  const lines = expect.arrayContaining(['Look.'])
  expect(other.words.headline).toMatchObject({ command: `xfer resume ${job}`, lines })
  const refused = collect([
    [0, { type: 'plan', parts: 3, notices: [] }],
    [5, part(1, 5, { bytes: 1024 })],
    // A second part was under way.
    [8, { type: 'progress', phase: 'copying', bytesDone: 1536, bytesTotal: 3072, partsDone: 1, partsTotal: 3 }],
    [9, { ...error, hint: `The key needs s3:PutObject. ${hint}` }],
  ])
  expect(refused.words.headline.lines).toContain('The key needs s3:PutObject. What was copied is kept.')
  expect(Object.fromEntries(refused.words.figures).Data).toBe('1.00 KiB')
  expect(Object.fromEntries(other.words.asked)).toMatchObject({ Parts: '3 of 5 B' })
})

const look = more => ({
  ...{ type: 'job', id: 'j-1', state: 'running', source: 's3://a/b', destination: 's3://c/d', bytes: 4000, parts: 4 },
  ...{ createdMs: START_MS - 60_000, ...more },
})
const looks = [
  [0, look({ bytesDone: 1000, partsDone: 1 })],
  [2_000, look({ bytesDone: 3000, partsDone: 3 })],
]

test('a job that another process runs has throughput and percent from what its journal tells', () => {
  const { running, share, timeline, words } = collect(looks)
  expect([running, share, sum(timeline.bytes), words.headline.title]).toEqual([true, 0.75, 2000, 'Under way'])
  expect([words.source, words.destination]).toEqual(['s3://a/b', 's3://c/d'])
  expect(Object.fromEntries(words.figures)).toMatchObject({ Done: '75 %', Now: '1000 B/s', Parts: '3' })
})

test.each([
  ['done', {}, 'Done', undefined],
  ['failed', { ended: { code: 'STALLED', message: 'It stalled.', atMs: 1 } }, 'Failed', undefined],
  ['stopped', {}, 'Stopped', 'xfer resume j-1'],
])('a job that another process runs ends when it is %s', (state, more, title, command) => {
  const { running, words } = collect([...looks, [4_000, look({ state, bytesDone: 3000, partsDone: 3, ...more })]])
  expect([running, words.headline.title, words.headline.command]).toEqual([false, title, command])
})

test('a job that another process runs goes on when nobody watches it any more', () => {
  const { words } = collect([...looks, [3_000, { type: 'error', code: 'INTERRUPTED', exitCode: 130, hint: '' }]])
  expect([words.headline.title, words.headline.lines]).toEqual(['No longer watched', ['The job goes on.']])
})

test('a job that another process runs of a prefix has what was copied, without a share of it', () => {
  const copied = (objects, bytes) =>
    look({ recursive: 'copy', bytes: undefined, parts: undefined, copied: { objects, bytes } })
  const { share, timeline, words } = collect([
    [0, copied(3, 300)],
    [2_000, copied(5, 900)],
  ])
  const figures = Object.fromEntries(words.figures)
  expect([share, sum(timeline.bytes), figures]).toMatchObject([undefined, 600, { Objects: '5', Data: '900 B' }])
})
