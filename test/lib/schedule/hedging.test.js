'use strict'

/** When a straggler starts a second time: after which time, for which of its parts, and with which budget. */

const { createHedging, createTimePerByte } = require('../../../lib/schedule/hedging')
const { createVirtualClock } = require('../../../bench/simulation/clock')

const BYTES = 10
const LONG_MS = 200_000

/**
 * Invocations of parts of ten bytes, which take their peers ten seconds. Slots are free.
 *
 * @param {any[]} given flights, each with the number of its parts, and of those that are not done, if these are fewer
 */
function setUp(given, { measured = true, msPerByte = 1000, idleMs = 0, jobBytes = 0, settle = async () => {} } = {}) {
  const clock = createVirtualClock(0)
  const told = []
  const tell = (what, items) => told.push([clock.now(), what, items.map(({ part }) => part.partNumber).join()])
  const flights = new Set()
  let last = 0
  for (const { parts = 1, left = parts, starts = 1, ...flight } of given) {
    const items = Array.from({ length: parts }, (_, i) => ({
      part: { partNumber: ++last, bytes: BYTES },
      group: { how: { hedge: true } },
      done: i >= left,
      flights: new Set(Array.from({ length: starts }, () => ({ items: [] }))),
    }))
    flights.add({ ...{ items, startedMs: 0, totalBytes: parts * BYTES, mayHedge: true, mayAsk: true }, ...flight })
  }
  const hedging = createHedging({
    ...{ flights, work: { bytes: jobBytes }, clock, fail: () => tell('fail', []) },
    capacity: {
      queue: { idleMs: () => Math.max(clock.now(), idleMs), hedge: item => tell('again', [item]) },
      timePerByte: { msPerByte: () => (measured ? msPerByte : undefined) },
    },
    settle: async items => {
      tell('ask', items)
      await settle(items)
    },
  })
  return { clock, hedging, told, flights: [...flights], pass: ms => clock.run(clock.delay(ms)) }
}

const FAILS = { settle: () => Promise.reject(Error()) }
test.each([
  ['after half of their time more', [{}], {}, '15000:again:1'],
  ['two seconds after a shorter time', [{}], { msPerByte: 100 }, '3000:again:1'],
  ['the third time, after twice as much more', [{ starts: 2 }], {}, '20000:again:1'],
  ['once a slot is free', [{}], { idleMs: 50_000 }, '50000:again:1'],
  ['never, while nothing is measured', [{}], { measured: false }, ''],
  ['never, once its parts are done', [{ left: 0 }], {}, ''],
  ['never, where it may not', [{ mayHedge: false }], {}, ''],
  ['each at its own time', [{ startedMs: 5000 }, {}], {}, '15000:again:2 20000:again:1'],
  ['of an answer without a result: later', [{ waitsMs: 5000 }], {}, '40000:again:1'],
  ['of a late answer without a result: later yet', [{ waitsMs: 30_000 }], {}, '120000:again:1'],
  ['with what the destination has not', [{ parts: 2, left: 1 }], {}, '30000:ask:1 30000:again:1'],
  ['with two parts of many', [{ parts: 3, left: 1 }], {}, '45000:ask:1 45000:again:1'],
  ['with more, after four times', [{ parts: 3, mayAsk: false }], {}, '120000:again:1 120000:again:2 120000:again:3'],
  ['with 5 % of all', [{ parts: 3 }], { jobBytes: 600 }, '45000:ask:1,2,3 45000:again:1 45000:again:2 45000:again:3'],
  ['where nobody tells', [{ parts: 2, left: 1 }], FAILS, '30000:ask:1 30000:fail: 30000:again:1'],
])('a straggler starts again %s', async (_, given, how, expected) => {
  const { clock, hedging, pass, told } = setUp(given, how)
  hedging.look()
  await pass(LONG_MS)
  expect(told.map(one => one.join(':')).join(' ')).toBe(expected)
  expect(clock.pending()).toBe(0)
})

test.each([
  ['is in another invocation', true, '16000:1 50000:3'],
  ['has arrived there', false, '50000:3'],
])('a straggler starts again instead of one that was lost, where that %s', async (_, elsewhere, expected) => {
  const { hedging, pass, told, flights } = setUp([{}, {}, { startedMs: 10_000 }])
  const [flight] = flights
  const [item] = flight.items
  hedging.look()
  await pass(16_000)
  expect(told).toHaveLength(2)
  item.flights.clear()
  if (elsewhere) item.flights.add(flight)
  else flight.mayHedge = false
  hedging.ended([item])
  hedging.look()
  await pass(LONG_MS)
  const later = told.slice(2).map(([ms, , part]) => `${ms}:${part}`)
  expect(later.join(' ')).toBe(expected)
})

test('a straggler starts again not after the end, which waits for the answer of the destination', async () => {
  let answer = () => {}
  const { clock, hedging, pass, told } = setUp([{ parts: 2 }], {
    settle: () => new Promise(resolve => (answer = resolve)),
  })
  hedging.look()
  await pass(30_000)
  let ended = false
  const stopped = hedging.stop().then(() => (ended = true))
  await pass(0)
  expect(ended).toBe(false)
  answer()
  await stopped
  hedging.look()
  await pass(LONG_MS)
  expect([told, clock.pending()]).toEqual([[[30_000, 'ask', '1,2']], 0])
})

const of = (values, parts = 1) => values.map(ms => [10, 10 * ms, parts])
// As texts they would have another median.
const FIVE = [5, 1, 10, 2, 80]
test.each([
  ['is not known from four', of([1, 1, 1, 1]), [undefined, undefined]],
  ['is the median of five', of(FIVE), [5, 5]],
  ['of several parts is another', [...of(FIVE), ...of([3, 3, 3, 3, 3], 2)], [5, 3]],
  ['of several parts, if only that is known', of(FIVE, 2), [5, 5]],
  ['is that of the last hundred', of([...Array(100).fill(1), ...Array(60).fill(2)]), [2, 2]],
  ['of none is no time', [...of([1, 1, 1, 1]), [0, 10, 1]], [undefined, undefined]],
])('the time of a byte: %s', (_, measured, expected) => {
  const timePerByte = createTimePerByte()
  for (const [bytes, ms, parts] of measured) timePerByte.finished(bytes, ms, parts)
  expect([1, 2].map(timePerByte.msPerByte)).toEqual(expected)
})
