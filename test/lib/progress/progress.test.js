'use strict'

const fc = require('fast-check')
const { createActivity, progressAt } = require('../../../lib/progress')
const { createParts } = require('../../../lib/progress/activity')

const MiB = 1024 ** 2
const START = 1_700_000_000_000

const part = (partNumber, bytes, elapsedMs = 1000) => ({
  ...{ type: 'part', partNumber, bytes, sums: { crc32: '00000000' }, attempt: 1, elapsedMs },
})
function create(bytesTotal, partsTotal = 10) {
  const parts = createParts(() => ({ bytesTotal, partsTotal }), { startMs: START })
  const activity = createActivity({ now: () => START })
  return {
    moved: parts.moved,
    add(event, nowMs) {
      activity.saw(event)
      parts.add(event, nowMs)
    },
    at: nowMs => progressAt({ activity, at: parts.at }, nowMs),
  }
}

test('what is done includes what is under way, until it is to be done again', () => {
  const progress = create(30, 3)
  progress.moved(1, 4, START + 100)
  progress.moved(2, 5, START + 100)
  expect(progress.at(START + 200)).toMatchObject({ bytesDone: 9, partsDone: 0 })
  progress.add(part(1, 10), START + 300)
  progress.add({ type: 'retry', partNumber: 2 }, START + 300)
  expect(progress.at(START + 300)).toMatchObject({ bytesDone: 10, partsDone: 1, retried: 1 })
})

test('an invocation is told from its beginning on, the longest first, a bounded number of them', async () => {
  let nowMs = START
  const activity = createActivity({ now: () => nowMs })
  const ends = []
  const seen = []
  const run = activity.counting((_, options) => {
    options?.onBytes?.(1, 7)
    return new Promise(resolve => ends.push(resolve))
  })
  const tasks = (...numbers) => numbers.map(partNumber => ({ partNumber, bytes: partNumber === 1 ? MiB : 10 }))
  const first = run(tasks(1), { onBytes: (...moved) => seen.push(moved) })
  nowMs += 1_000
  run(tasks(2, 3))
  const told = at => progressAt({ activity, at: () => ({ done: {}, speed: { bytesPerSecond: 0 } }) }, at).underWay
  expect(told(nowMs + 500)).toEqual([
    { partNumber: 1, bytes: MiB, bytesDone: 7, forMs: 1_500 },
    { partNumber: 2, tasks: 2, bytes: 20, forMs: 500 },
  ])
  expect(seen).toEqual([[1, 7]])
  ends[0]([])
  await first
  expect(told(START)).toEqual([{ partNumber: 2, tasks: 2, bytes: 20, forMs: 0 }])
  for (let at = 4; at < 100; at++) run(tasks(at))
  expect(told(nowMs)).toHaveLength(50)
})

test('the estimate is absent if nothing has arrived for long', () => {
  const progress = create(1000 * MiB)
  for (let s = 1; s <= 10; s++) progress.add(part(s, 10 * MiB, 1000), START + s * 1000)
  const etaMs = s => progress.at(START + s * 1000).etaMs
  expect(etaMs(10) / 1000).toBeCloseTo(90, -1)
  expect(etaMs(39)).toBeGreaterThan(90_000)
  expect([etaMs(41), etaMs(300), etaMs(4000)]).toEqual([undefined, undefined, undefined])
  progress.add(part(11, 100 * MiB, 1000), START + 4_001_000)
  expect(etaMs(4001)).toBeGreaterThan(0)
})

test('whatever happens, whatever the clock does, all numbers are finite and none is below 0', () => {
  const step = fc.oneof(
    fc.tuple(fc.constant('part'), fc.integer({ min: 0, max: 5 * 1024 ** 3 }), fc.integer({ min: 0, max: 10 ** 7 })),
    fc.tuple(fc.constant('moved'), fc.integer({ min: 0, max: 100 }), fc.constant(0)),
    fc.tuple(fc.constantFrom('retry', 'throttle'), fc.constant(0), fc.constant(0)),
  )
  const passed = fc.integer({ min: -5000, max: 10 ** 7 })
  fc.assert(
    fc.property(fc.array(fc.tuple(step, passed), { maxLength: 40 }), steps => {
      const bytesTotal = 40 * 5 * 1024 ** 3
      const progress = create(bytesTotal, 40)
      let nowMs = START
      for (const [i, [[kind, bytes, ms], passedMs]] of steps.entries()) {
        nowMs += passedMs
        if (kind === 'part') progress.add(part(i + 1, bytes, ms), nowMs)
        else if (kind === 'moved') progress.moved(i + 1, bytes, nowMs)
        else progress.add({ type: kind, partNumber: i }, nowMs)
        const numbers = Object.values(progress.at(nowMs))
        expect(numbers.filter(value => !(Number.isFinite(value) && value >= 0))).toEqual([])
      }
    }),
  )
})
