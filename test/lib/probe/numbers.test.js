'use strict'

const { helps, isSettled, kneeOf, parseExpectation, predict, predictMany } = require('../../../lib/probe/numbers')
const { rateOf, recommend, timesOf } = require('../../../lib/probe/numbers')

const MB = 1e6
/** Requests of one lane, one directly after the other. */
const lane = (number, count, eachMs, bytes) =>
  Array.from({ length: count }, (_, i) => ({
    ...{ lane: number, bytes, firstByteMs: eachMs / 2 },
    ...{ fromMs: i * eachMs, toMs: (i + 1) * eachMs },
  }))
const times = (p50, firstByteMs = 0) => ({ count: 10, p50, p95: p50, p99: p50, firstByteMs })
const step = (lanes, bytesPerSecond, p50 = 100, firstByteMs = 0) => ({
  ...{ lanes, bytesPerSecond, requests: 10, refused: 0, times: times(p50, firstByteMs), firstDoneMs: 1, lastDoneMs: 1 },
})

test('the rate is of the time in which all lanes were at work, with the share of what goes on beyond it', () => {
  const fast = lane(0, 10, 100, MB)
  const slow = lane(1, 2, 1000, MB)
  expect(rateOf(fast, 0, 1000)).toBeCloseTo(10 * MB)
  expect(rateOf([...fast, ...slow], 0, 1000)).toBeCloseTo(11 * MB)
  expect(rateOf([...fast, ...slow], 0, 500)).toBeCloseTo(11 * MB)
  // Eight that share one way, and so end one after the other, are no faster than it.
  const shared = Array.from({ length: 8 }, (_, i) => ({ ...lane(i, 1, 8000, MB)[0] }))
  expect(rateOf(shared, 0, 8000)).toBeCloseTo(MB)
  expect(rateOf([], 0, 1000)).toBe(0)
})

test('times are percentiles in milliseconds, to some thousandths', () => {
  const found = timesOf(Array.from({ length: 100 }, (_, i) => lane(0, 1, i + 1, 1)[0]))
  expect(found.count).toBe(100)
  for (const [name, ms] of Object.entries({ p50: 50, p95: 95, p99: 99, firstByteMs: 25 }))
    expect(found[name]).toBeCloseTo(ms, 0)
})

test('a rate has settled once the last eight are within 7.5 %', () => {
  const rates = [50, 100, 99, 98, 100, 97, 96, 99, 100]
  expect([[], rates.slice(0, 8), rates, [...rates, 90]].map(isSettled)).toEqual([false, false, true, false])
})

test('more help until two steps in a row move no tenth more; the knee is the fewest that move nearly the most', () => {
  const steps = [step(1, 10 * MB), step(2, 20 * MB), step(4, 38 * MB), step(8, 40 * MB), step(16, 39 * MB)]
  for (const count of [1, 2, 3, 4]) expect([count, helps(steps.slice(0, count))]).toEqual([count, true])
  expect([helps(steps), kneeOf(steps).lanes]).toEqual([false, 4])
})

test('the smallest part is recommended that is nearly as fast as the fastest', () => {
  const curves = [
    { bytes: 5 * MB, steps: [step(1, 10 * MB), step(8, 50 * MB)] },
    { bytes: 10 * MB, steps: [step(1, 20 * MB), step(4, 76 * MB), step(8, 78 * MB)] },
    { bytes: 100 * MB, steps: [step(1, 80 * MB)] },
  ]
  expect(recommend(curves)).toEqual({ bytes: 10 * MB, lanes: 4, bytesPerSecond: 76 * MB })
  expect(recommend([])).toBeUndefined()
  const refused = curves.map(curve => ({ ...curve, steps: curve.steps.map(step => ({ ...step, bytesPerSecond: 0 })) }))
  expect([recommend(refused), predict(refused, refused, 1e12)]).toEqual([undefined, undefined])
})

describe('a copy between two places', () => {
  // A read takes 50 ms to its first byte and 100 ms in all, a write 200 ms: a lane moves a part of 5 MB in 250 ms.
  const gets = [{ bytes: 5 * MB, steps: [step(1, 50 * MB, 100, 50), step(4, 200 * MB, 100, 50)] }]
  const puts = [{ bytes: 5 * MB, steps: [step(1, 25 * MB, 200), step(4, 100 * MB, 200)] }]

  test('is as fast as its lanes, which wait for the first byte, and then for the slower side', () => {
    const found = predict(gets, puts, 1e9)
    const speed = { bytesPerSecond: expect.closeTo(4 * 20 * MB), ms: expect.closeTo(12_500) }
    expect(found).toMatchObject({ lanes: 4, partBytes: 5 * MB, bottleneck: 'requests', ...speed })
  })

  test('is no faster than what either side moves', () => {
    const narrow = [{ bytes: 5 * MB, steps: [step(1, 25 * MB, 200), step(4, 30 * MB, 200)] }]
    expect(predict(gets, narrow, 1e9)).toMatchObject({ bottleneck: 'destination', lanes: 4, bytesPerSecond: 30 * MB })
    expect(predict(narrow, puts, 1e9)).toMatchObject({ bottleneck: 'source' })
  })

  test('of fewer bytes than parts at once uses fewer', () => {
    expect(predict(gets, puts, 5 * MB).bytesPerSecond).toBeCloseTo(20 * MB)
    expect(predict([], puts, 1e9)).toBeUndefined()
  })
})

describe('a copy of many objects', () => {
  // A read takes 40 ms and a write 60 ms: a lane copies ten objects a second.
  const KB40 = 40_000
  const curve = (p50, ...rates) => [{ bytes: KB40, steps: rates.map((rate, i) => step(4 ** i, rate * KB40, p50)) }]
  const gets = curve(40, 25, 100)

  test('is as fast as its lanes, each of which reads an object and then writes it', () => {
    const found = predictMany(gets, curve(60, 16, 64), { bytes: KB40, objects: 3_000_000 })
    const speed = { objectsPerSecond: expect.closeTo(40), ms: expect.closeTo(75_000_000) }
    expect(found).toMatchObject({ lanes: 4, bottleneck: 'requests', bytes: KB40, objects: 3_000_000, ...speed })
  })

  test('is no faster than either side, uses no more lanes than objects, and has no time without their number', () => {
    const slow = predictMany(gets, curve(60, 16, 20), { bytes: KB40 })
    expect(slow).toMatchObject({ bottleneck: 'destination', objectsPerSecond: expect.closeTo(20) })
    expect(slow).not.toHaveProperty('ms')
    expect(predictMany(gets, curve(60, 16, 64), { bytes: KB40, objects: 2 }).objectsPerSecond).toBeCloseTo(20)
    expect(predictMany(gets, curve(60, 16), { bytes: 100_000, objects: 2 })).toBeUndefined()
  })
})

test.each([
  ['put.p99<200ms', { op: 'put', of: 'p99', above: false, value: 200 }],
  ['get.rate > 100 MB/s', { op: 'get', of: 'rate', above: true, value: 100 * MB }],
  ['head.p50<1.5s', { op: 'head', of: 'p50', above: false, value: 1500 }],
  ['put.rate>1MiB/s', { op: 'put', of: 'rate', above: true, value: 1024 ** 2 }],
  ...['put.p99<200', 'put.p99<200MB/s', 'get.rate>3ms', 'list.p50<3ms', ''].map(text => [text, undefined]),
])('the expectation %s', (text, expected) => expect(parseExpectation(text)).toEqual(expected))
