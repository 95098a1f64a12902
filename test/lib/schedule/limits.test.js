'use strict'

const fc = require('fast-check')
const { createPressure } = require('../../../lib/schedule')
const { createAdaptiveLimit, backoffMs } = require('../../../lib/schedule/pressure')
const { createHoldings } = require('../../../lib/schedule/allowance')
const { beginWith, createNetworkLimit, createQuota, createRamp } = require('../../../lib/schedule/limits')

test('a platform that says how many it allows is never asked for more', () => {
  const limit = createAdaptiveLimit(() => 0.5)
  limit.refused({ nowMs: 5000, askedMs: 4000, others: 999, most: 1000, allowed: 30 })
  expect(limit.current()).toBe(29)
  for (let others = 998; others >= 29; others--)
    limit.refused({ nowMs: 5001, askedMs: 4000, others, most: 1000, allowed: 30 })
  limit.answered({ nowMs: 1e9, inFlight: 29, most: 1000 })
  expect([27, 28, 29]).toContain(limit.current())
})

test('a platform where nobody waits for a container is never held back', () => {
  const limit = createAdaptiveLimit(() => 0.5)
  for (let i = 1; i < 1_000; i++)
    limit.queued({ nowMs: i, startMs: i, waitedMs: i % 2_000, ranMs: 100_000, answered: 5, most: 250 })
  expect(limit.current()).toBe(Number.POSITIVE_INFINITY)
})

describe('the limit of a store', () => {
  const limitOf = () => createAdaptiveLimit(() => 0.5)

  test('of a crowd, what was not refused is what the store bears, and it is one reason to wait', () => {
    const limit = limitOf()
    const waits = []
    for (let others = 99; others >= 30; others--)
      waits.push(limit.refused({ nowMs: 200 - others, askedMs: 0, others, most: 1000 }))
    expect(limit.current()).toBe(21)
    expect(waits.filter(ms => ms > 0)).toHaveLength(1)
  })

  test('a store that says how long is waited for so long, whoever of a crowd says it', () => {
    const limit = limitOf()
    expect(limit.refused({ nowMs: 100, askedMs: 0, others: 9, most: 10, retryAfterMs: 20_000 })).toBe(21_000)
    expect(limit.refused({ nowMs: 101, askedMs: 0, others: 8, most: 10, retryAfterMs: 30_000 })).toBe(31_500)
  })

  test('is always whole and at least 1, or nothing at all', () => {
    const step = fc.record({
      ms: fc.integer({ min: 0, max: 5000 }),
      answered: fc.boolean(),
      ageMs: fc.option(fc.integer({ min: 0, max: 9000 }), { nil: undefined }),
      inFlight: fc.integer({ min: 0, max: 2000 }),
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.array(step, { maxLength: 200 }), (most, steps) => {
        const limit = limitOf()
        let nowMs = 0
        for (const { ms, answered, ageMs, inFlight } of steps) {
          nowMs += ms
          const askedMs = ageMs === undefined ? undefined : nowMs - ageMs
          if (answered) limit.answered({ nowMs, inFlight, most })
          else expect(limit.refused({ nowMs, askedMs, others: inFlight, most })).toBeGreaterThanOrEqual(0)
          const current = limit.current()
          expect(current === Infinity || (Number.isInteger(current) && current >= 1 && current < most + 1)).toBe(true)
        }
      }),
    )
  })
})

/** After seventy of a hundred: at this second an answer comes, with so many in flight; and what the limit is then. */
test.each([
  ['by a twentieth a second of what was accepted', {}, '1 70 75, 2 75 80'],
  ['not where it is not used up', {}, '1 69 70, 2 70 75'],
  ['not with the number of answers', {}, '1 70 75, 1 75 75, 0.5 75 75, 2 75 80'],
  ['twice as fast two seconds after it is calm, by half of it at most', {}, '8 70 105, 9 105 115'],
  ['by a tenth at least', { others: 0 }, '7 1 1, 8 1 1, 9 1 2'],
  ['by one at most, where it is one', { others: 0 }, '20 1 2'],
  ['until nothing limits it any more', { most: 75 }, '1 52 56, 6 56 Infinity'],
])('the limit rises with the time: %s', (_, { others = 99, most = 1000 }, steps) => {
  const limit = createAdaptiveLimit(() => 0.5)
  limit.refused({ nowMs: 0, askedMs: -1, others, most })
  for (const [second, inFlight, expected] of steps.split(', ').map(step => step.split(' ').map(Number))) {
    limit.answered({ nowMs: 1000 * second, inFlight, most })
    expect(limit.current()).toBe(expected)
  }
})

test.each([
  ['of a request from before the last one', { askedMs: 5000 }, 29, 0],
  ['of a later request', { askedMs: 5001 }, 28, 375],
  ['soon after the last one, of nobody knows when', { nowMs: 5999 }, 29, 0],
  ['later, of nobody knows when', { nowMs: 6000 }, 28, 375],
])('a refusal %s counts as another, or as the same', (_, refusal, expected, waitMs) => {
  const limit = createAdaptiveLimit(() => 0.5)
  limit.refused({ nowMs: 5000, askedMs: 4000, others: 99, most: 1000 })
  // Two of the same crowd were accepted, beside forty others.
  for (let i = 0; i < 2; i++) limit.answered({ nowMs: 5000, inFlight: 9, most: 1000 })
  expect(limit.refused({ nowMs: 6000, others: 40, most: 1000, ...refusal })).toBe(waitMs)
  expect(limit.current()).toBe(expected)
})

const WAITS_MS = { 1: 375, 2: 1500, 3: 6000, 4: 15_000, 9: 15_000 }
test.each(Object.entries(WAITS_MS))('a refusal that is the %s. in a row is waited for %i ms', (many, expected) => {
  const limit = createAdaptiveLimit(() => 0.5)
  let waitMs
  for (let i = 1; i <= many; i++)
    waitMs = limit.refused({ nowMs: 9000 * i, askedMs: 9000 * i - 1, others: 9, most: 10 })
  expect(waitMs).toBe(expected)
})

describe('the containers that work', () => {
  /** Invocations of ten seconds that waited as long, while four were answered: the work of two containers. */
  const two = (at, more = {}) => ({ startMs: 10_000 * at, waitedMs: 10_000, ranMs: 10_000, answered: 4, ...more })
  const times = (many, more) => Array.from({ length: many }, (_, i) => two(i, more))
  const few = { waitedMs: 3100, answered: 1 }
  const atOnce = { startMs: 0, ...few }
  const mixed = [30_000, 0, 1000, 2000].map(startMs => two(0, { ...few, startMs }))
  const later = [9, 10, 11, 12].map(i => two(i, few))
  const unwaited = Array(5).fill(two(9, { waitedMs: 0, most: 5 }))
  test.each([
    ['are believed from the fourth on', times(3), undefined, Infinity],
    ['and a few more than these are kept in flight', times(4), 2, 4],
    ['are a mean of the last ones', [two(0), ...[1, 2, 3].map(i => two(i, { answered: 20 }))], 6, 9],
    ['are not shown by starts of new ones', times(9, { isNew: true }), undefined, Infinity],
    ['are not shown by waits as short as a start', times(9, { waitedMs: 2000, ranMs: 1000 }), undefined, Infinity],
    ['are not shown by waits that are short beside the work', times(9, { waitedMs: 3000 }), undefined, Infinity],
    ['are as many as ran at once', times(4, atOnce), 4, 6],
    ['are as many as ran at once, told in any order', mixed, 3, 5],
    ['are not those of which one ended as the other began', times(4, few), 1, 3],
    ['are not those that have ended before it was sent', [...times(3, atOnce), ...later], 2, 4],
    ['are remembered of twice as many as may be', times(9, { startMs: 0, ...few, most: 2 }), 4, 6],
    ['are more, where somebody waits for none', [...times(4), two(9, { waitedMs: 499 })], 2, 4],
    ['and again', [...times(4), ...Array(5).fill(two(9, { waitedMs: 499 }))], 2, 5],
    ['not where somebody waits a little', [...times(4), ...Array(5).fill(two(9, { waitedMs: 500 }))], 2, 4],
    ['must be shown again then', [...times(4), two(9, { waitedMs: 0 }), ...times(3, { answered: 20 })], 2, 4],
    ['are forgotten, where none of all waits', [...times(4, { most: 5 }), ...unwaited], undefined, Infinity],
  ])('%s', (_, told, containers, current) => {
    const limit = createAdaptiveLimit(() => 0.5)
    for (const one of told) limit.queued({ nowMs: one.startMs + one.ranMs, isNew: false, most: 250, ...one })
    expect([limit.containers(), limit.current()]).toEqual([containers, current])
  })

  test('are told once, when that is certain, and an answer is no reason for more', () => {
    const limit = createAdaptiveLimit(() => 0.5)
    const told = times(26).map(one => limit.queued({ nowMs: 0, isNew: false, most: 250, ...one }))
    expect(told.flatMap((many, i) => (many === undefined ? [] : [[i + 1, many]]))).toEqual([[24, 2]])
    limit.answered({ nowMs: 1e6, inFlight: 4, most: 250 })
    expect(limit.current()).toBe(4)
  })

  test('a refusal of what was sent before they were known is no reason to wait, and a later one is', () => {
    const limit = createAdaptiveLimit(() => 0.5)
    for (const one of times(4)) limit.queued({ nowMs: 0, isNew: false, most: 250, ...one })
    const refused = { nowMs: 2, others: 9, most: 250 }
    expect([0, 1].map(askedMs => limit.refused({ ...refused, askedMs }))).toEqual([0, 375])
  })
})

describe('the stores of a job', () => {
  const refused = { nowMs: 100, askedMs: 0, others: 9, most: 10 }
  const create = ({ same = false, told = [], holding = false } = {}) =>
    createPressure({ same, outages: { told: () => told, holding: () => holding }, random: () => 0.5 })
  const limits = pressure => [pressure.of('source').current(), pressure.of('destination').current()]

  test.each([
    ['one of them', [undefined], [Infinity, Infinity]],
    ['not what refused', ['source'], [7, Infinity]],
    ['neither', ['source', 'destination'], [7, 7]],
  ])('heed an answer: %s', (_, but, expected) => {
    const pressure = create()
    for (const side of ['source', 'destination']) pressure.of(side).refused(refused)
    for (let s = 1; s < 30; s++) pressure.answered({ nowMs: 1000 * s, inFlight: 10, most: 10 }, but)
    expect(limits(pressure)).toEqual(expected)
    expect(pressure.current()).toBe(Math.min(...expected))
  })

  test.each([
    ['as parts are in flight', 4, [Infinity, 3]],
    ['not where none is', 0, [Infinity, Infinity]],
  ])('heed a refusal of something else, %s', (_, inFlight, expected) => {
    const pressure = create()
    pressure.underWay(inFlight, 10)
    pressure.refusedElsewhere('destination', 5000)
    expect(limits(pressure)).toEqual(expected)
  })

  const ONE = { same: true, side: 'source' }
  const AWAY = [{ peer: 'source' }]
  const BOUND = { bound: () => 'b' }
  test.each([
    ['nothing', {}, {}, {}],
    ['the one store that both are, once', ONE, {}, { slowed: [{ store: 'destination', limit: 7 }] }],
    ['an outage, before another limit', { told: AWAY }, BOUND, { away: AWAY, bound: { by: 'outage', ...AWAY[0] } }],
    ['the quota', {}, { waitsForQuota: () => 'w' }, { waiting: 'w' }],
    ['what keeps more from starting', {}, BOUND, { bound: 'b' }],
  ])('and %s are told', (_, { side, ...how }, starter, expected) => {
    const pressure = create(how)
    if (side) pressure.of(side).refused(refused)
    pressure.watch({ waitsForQuota: () => undefined })
    const unwatch = pressure.watch({ waitsForQuota: () => undefined, ...starter })
    expect(pressure.hindrances()).toEqual(expected)
    unwatch()
    if (Object.keys(starter).length > 0 && !how.told) expect(pressure.hindrances()).toEqual({})
  })

  test('let nothing start in an outage', () => expect(create({ holding: true }).current()).toBe(0))
})

/** With a rate for each number of connections: which numbers are tried, and since when. As many are at work, unless it is told. */
function levelsOf(rates, { start = 4, most = 8, atWork = (_, level) => level, forMs }) {
  const limit = createNetworkLimit({ start: () => start, most })
  const levels = []
  for (let nowMs = 0; nowMs <= forMs; nowMs += 100) {
    const level = limit.current()
    if (levels.at(-1)?.[1] !== level) levels.push([nowMs, level])
    limit.answered({ nowMs, moved: 100 * rates[level], inFlight: atWork(nowMs, level) })
  }
  return { levels, isFound: limit.isFound() }
}
const paused = (nowMs, level) => (nowMs === 1500 ? level - 1 : level)
const steady = { 2: 1000, 4: 1000, 8: 1000 }

test.each([
  ['twice as many that move hardly more are not kept', { 4: 100, 8: 114 }, 6000, '0:4 2600:8 5200:4', true],
  ['no more are tried than there may be', { 4: 100, 6: 100 }, 6000, '0:4 2600:6 5200:4', true, { most: 6 }],
  ['nor are they without a whole measurement', { 4: 100, 8: 120 }, 5100, '0:4 2600:8', false],
  ['but then they are', { 4: 100, 8: 120 }, 30_000, '0:4 2600:8 20800:4 23400:8', false],
  ['a large gain is enough', { 1: 10, 2: 20, 4: 40, 8: 80 }, 6000, '0:1 2600:2 3700:4 4800:8', false, { start: 1 }],
  ['half as many as fast are kept', { ...steady, 1: 400 }, 40_000, '0:4 2600:8 5200:4 20800:2 23400:4 26000:2', true],
  ['they are tried later, if fewer were at work', { 4: 100, 8: 114 }, 6000, '0:4 4200:8', false, { atWork: paused }],
])('how many connections help %s', (_, rates, forMs, levels, isFound, how = {}) => {
  const found = levelsOf(rates, { forMs, ...how })
  expect([found.levels.map(level => level.join(':')).join(' '), found.isFound]).toEqual([levels, isFound])
})

test('how many connections help are searched less often, as long as that finds the same', () => {
  const { levels } = levelsOf({ 2: 100, 4: 400, 8: 400 }, { forMs: 700_000 })
  const searched = levels.filter(([, level]) => level === 2).map(([ms]) => ms)
  expect(searched.slice(1).map((ms, i) => Math.round((ms - searched[i]) / 10_000))).toEqual([4, 7, 13, 13, 13, 13])
})

test.each([
  [2, 1, 16],
  [2, 64 * 1024 ** 2, 2],
  [2, 8 * 1024 ** 2, 8],
  [2, 0, 16],
  [4, 64 * 1024 ** 2, 4, 9],
  [4, 64 * 1024 ** 2, 12, 30],
  [4, 64 * 1024 ** 2, 16, 100],
])('of %i connections, parts of %i bytes: %i at first, %s ms away', (startWith, partBytes, begun, roundTripMs = 0) => {
  expect(beginWith({ startWith, partBytes, roundTripMs })).toBe(begun)
})

test('with how many to begin is asked until something was moved', () => {
  let start = 2
  const limit = createNetworkLimit({ start: () => start++, most: 8 })
  const asked = [limit.current(), limit.current()]
  limit.answered({ nowMs: 0, moved: 1, inFlight: 4 })
  expect([...asked, limit.current(), limit.current()]).toEqual([2, 3, 4, 4])
})

describe('a quota of calls a minute', () => {
  const MINUTE = 60_000
  const at = (minute, ms = 0) => minute * MINUTE + ms

  test('lets as many start as a minute allows, and then waits for the next, and a little', () => {
    const quota = createQuota(3, () => 0.5)
    const told = (...time) => [quota.waitMs(at(...time)), quota.left(at(...time))]
    for (let i = 0; i < 3; i++) {
      expect(told(7, 20_000)).toEqual([0, 3 - i])
      quota.started(at(7, 20_000))
    }
    expect(told(7, 20_000)).toEqual([40_000 + 1000 + 500, 0])
    expect([quota.waitMs(at(8, 1499)), ...told(8, 1500)]).toEqual([1, 0, 3])
  })

  test.each([
    ['teaches how many are allowed', { used: 100, allowed: 60 }, 60, 54_000],
    ['teaches no more than is known', { perMinute: 50, used: 9, allowed: 60 }, 50, 54_000],
    ['teaches no number: one fewer than were used', { used: 100 }, 99, 54_000],
    ['after few: others may have used it up', { used: 5 }, 10, 54_000],
    ['of what is known: others have used it up', { perMinute: 30, used: 20 }, 30, 54_000],
    ['early in a minute is of the minute before', { used: 3, ms: 4999 }, 10, 1000],
    ['a little later is of this one', { used: 3, ms: 5000 }, 10, 56_000],
    ['early, of more than are allowed, is of this one', { used: 61, allowed: 60, ms: 1000 }, 60, 60_000],
    ['early, of as many as are allowed, is of the minute before', { used: 60, allowed: 60, ms: 1000 }, 60, 1000],
  ])('a refusal %s', (_, { perMinute = Number.POSITIVE_INFINITY, used, ms = 7000, allowed }, expected, waitMs) => {
    const quota = createQuota(perMinute, () => 0)
    const nowMs = at(1, ms)
    for (let i = 0; i < used; i++) quota.started(nowMs)
    quota.refused({ nowMs, allowed })
    expect([quota.perMinute(), quota.waitMs(nowMs)]).toEqual([expected, waitMs])
  })

  test('a guess that was used up and not refused was too low, and one that was told was not', () => {
    const guess = createQuota(Number.POSITIVE_INFINITY, () => 0)
    const use = (quota, minute, many) => {
      for (let i = 0; i < many; i++) quota.started(at(minute, 20_000))
      return quota.left(at(minute + 1, 20_000))
    }
    use(guess, 1, 11)
    guess.refused({ nowMs: at(1, 20_000) })
    expect(guess.left(at(1, 30_000))).toBe(0)
    expect([use(guess, 2, 9), use(guess, 3, 10), use(guess, 4, 20)]).toEqual([10, 20, 40])
    guess.refused({ nowMs: at(5, 20_000), allowed: 15 })
    expect(use(guess, 6, 15)).toBe(15)
  })
})

test('new environments start so many at once, then so many a second, and those that are there are used again', () => {
  const ramp = createRamp({ atOnce: 2, perSecond: 0.5 })
  const asked = '0:0 0:1 0:2 1000:2 2000:2 2000:2 2000:3 60000:3 60000:4 60000:5'
  const waits = asked.split(' ').map(one => {
    const [nowMs, inFlight] = one.split(':').map(Number)
    const waitMs = ramp.waitMs(nowMs, inFlight)
    if (waitMs === 0) ramp.started(inFlight + 1)
    return waitMs
  })
  expect(waits).toEqual([0, 0, 2000, 1000, 0, 0, 2000, 0, 0, 2000])
  expect(ramp.waitMs(60_000, 4)).toBe(0)
})

test('the bandwidth is never exceeded by all shares together, and none is below the least', () => {
  const step = fc.record({ ends: fc.nat({ max: 3 }), coming: fc.integer({ min: 1, max: 2_000 }) })
  fc.assert(
    fc.property(
      fc.integer({ min: 64 * 1024, max: 2 ** 34 }),
      fc.integer({ min: 1, max: 1_000 }),
      fc.array(step, { maxLength: 200 }),
      (bytesPerSecond, atOnce, steps) => {
        const least = Math.floor(bytesPerSecond / atOnce)
        const bandwidth = createHoldings({ bandwidth: bytesPerSecond, bytesPerSecond: least })
        const running = []
        for (const { ends, coming } of steps) {
          for (const over of running.splice(0, ends)) bandwidth.release(over)
          if (!bandwidth.isFree(atOnce)) continue
          running.push({})
          bandwidth.take(running.at(-1), 1, coming)
          expect(bandwidth.of(running.at(-1))).toBeGreaterThanOrEqual(least)
          const sum = running.reduce((total, one) => total + bandwidth.of(one), 0)
          expect(sum).toBeLessThanOrEqual(bytesPerSecond)
        }
        for (const over of running) bandwidth.release(over)
        expect(bandwidth.isFree(atOnce)).toBe(true)
      },
    ),
  )
})

/** So much of a hundred. */
const take = (holdings, share) => holdings.take({}, 1, 100 / (share + 0.5))

test.each([
  ['an even share of all', { coming: 2 }, 50],
  ['of what is free, if that is more', { coming: 2, free: 90 }, 45],
  ['no less than the least', { coming: 100 }, 10],
  ['no more than is free', { coming: 1, free: 7 }, 7],
  ['no more than a function moves', { bandwidth: 2 ** 30, coming: 2 }, 2 ** 28],
])('the bandwidth is given in shares: %s', (_, { bandwidth = 100, coming, free = bandwidth }, expected) => {
  const holdings = createHoldings({ bandwidth, bytesPerSecond: 10 })
  if (free < bandwidth) take(holdings, bandwidth - free)
  expect(holdings.shareFor(coming)).toBe(expected)
})

test.each([
  [100, 2, true],
  [25, 2, true],
  [24, 2, false],
  [10, 20, true],
  [9, 20, false],
])('the bandwidth with %i free of a hundred, of %i at once, lets another start: %s', (free, slots, expected) => {
  const holdings = createHoldings({ bandwidth: 100, bytesPerSecond: 10 })
  if (free < 100) take(holdings, 100 - free)
  expect(holdings.isFree(slots)).toBe(expected)
})

test('nothing starts while as many bytes are in flight as may be', () => {
  const inFlight = createHoldings({ bytesInFlight: 200 })
  const [first, second] = [{}, {}]
  const startable = [inFlight.startable(100)]
  for (const one of [first, second]) {
    inFlight.take(one, 100, 1)
    startable.push(inFlight.isFree(1), inFlight.startable(100))
  }
  inFlight.release(first)
  expect([...startable, inFlight.isFree(1), inFlight.startable(50)]).toEqual([2, true, 1, false, 0, true, 2])
})

test.each([
  [1, 1, 500],
  [2, 1, 2_000],
  [2000, 0, 10_000],
])('attempt %i, at random %f, waits %i ms', (attempt, random, expected) => {
  expect(backoffMs({ attempt, random: () => random })).toBe(expected)
})
