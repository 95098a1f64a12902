'use strict'

const { createRig, failure } = require('./rig')

/** Twenty parts of one second each, of which the tenth takes a function that is stuck for long. */
const stuck = {
  parts: 20,
  concurrency: 5,
  hedge: true,
  takesMs: (partNumber, nth) => (partNumber === 10 && nth === 1 ? 300_000 : 1000),
}

describe('an invocation far behind', () => {
  test('is started again once slots are free, and the first answer wins', async () => {
    const rig = createRig(stuck)
    const outcomes = await rig.go()
    expect(outcomes[9].etag).toBe('"10-2"')
    expect(rig.eventsOf('hedge')).toMatchObject([{ partNumber: 10, bytes: 10 }])
    expect(rig.eventsOf('part')).toHaveLength(20)
    expect(rig.clock.elapsedMs()).toBeLessThan(10_000)
  })

  test('is ended when its twin has won', async () => {
    const rig = createRig(stuck)
    await rig.go()
    const flights = rig.invocations.filter(({ partNumbers }) => partNumbers.includes(10))
    expect(flights.map(({ aborted }) => aborted)).toEqual([true, false])
    expect(rig.inFlight()).toBe(0)
    expect(rig.clock.pending()).toBe(0)
  })

  test('is waited for where parts are not to be started twice', async () => {
    const rig = createRig({ ...stuck, hedge: false })
    await rig.go()
    expect(rig.eventsOf('hedge')).toEqual([])
    expect(rig.clock.elapsedMs()).toBeGreaterThan(300_000)
  })

  test('that fails while its twin flies costs nothing but an attempt', async () => {
    const answer = ({ partNumber, nth }) => partNumber === 10 && nth === 1 && failure('STALLED')
    const rig = createRig({ ...stuck, takesMs: (partNumber, nth) => (partNumber === 10 ? 6000 + nth : 1000), answer })
    const outcomes = await rig.go()
    expect(outcomes[9].etag).toBe('"10-2"')
    expect(rig.eventsOf('retry')).toEqual([])
  })

  test('whose twin fails too is tried again as ever', async () => {
    const answer = ({ partNumber, nth }) => partNumber === 10 && nth < 3 && failure('STALLED')
    const rig = createRig({
      ...stuck,
      takesMs: (partNumber, nth) => (partNumber === 10 && nth < 3 ? [4500, 2500][nth - 1] : 1000),
      answer,
    })
    expect((await rig.go())[9].etag).toBe('"10-3"')
    expect(rig.eventsOf('retry')).toMatchObject([{ partNumber: 10, attempt: 2 }])
  })
})

test('a second start that is late is started a third time', async () => {
  const rig = createRig({
    ...stuck,
    parts: 40,
    takesMs: (partNumber, nth) => (partNumber === 10 && nth < 3 ? 300_000 : 1000),
  })
  expect((await rig.go())[9].etag).toBe('"10-3"')
  expect(rig.clock.elapsedMs()).toBeLessThan(25_000)
})

test('of an invocation with several parts only those start again that the destination has not', async () => {
  const asked = []
  const rig = createRig({
    ...stuck,
    parts: 80,
    partsPerInvocation: 4,
    takesMs: (partNumber, nth) => (partNumber === 10 && nth === 1 ? 300_000 : 1000),
    settle: async parts => {
      asked.push(parts.map(({ partNumber }) => partNumber))
      return parts
        .filter(({ partNumber }) => partNumber !== 10)
        .map(({ partNumber, bytes }) => ({
          partNumber,
          bytes,
          etag: '"there"',
          sums: { crc32: String(partNumber).padStart(8, '0') },
          timing: {},
        }))
    },
  })
  const outcomes = await rig.go()
  expect(asked).toEqual([[9, 10, 11, 12]])
  expect(rig.eventsOf('hedge')).toMatchObject([{ partNumber: 10 }])
  expect([8, 9, 10].map(at => outcomes[at].etag)).toEqual(['"there"', '"10-2"', '"there"'])
  expect(rig.eventsOf('part')).toHaveLength(80)
})

test('nothing is started twice while anything waits', async () => {
  const rig = createRig({
    ...stuck,
    parts: 100,
    takesMs: (partNumber, nth) => (partNumber === 10 && nth === 1 ? 300_000 : 1000),
  })
  await rig.go()
  const [{ atMs }] = rig.eventsOf('hedge')
  const others = rig.started.filter(({ nth }) => nth === 1)
  expect(Math.max(...others.map(one => one.atMs))).toBeLessThanOrEqual(atMs)
})

test('nothing is started twice before a few were measured', async () => {
  const rig = createRig({
    parts: 4,
    concurrency: 4,
    hedge: true,
    takesMs: partNumber => (partNumber === 4 ? 60_000 : 10),
  })
  await rig.go()
  expect(rig.eventsOf('hedge')).toEqual([])
})

test('whatever is late is started again while slots are idle, however many that are', async () => {
  const slow = (partNumber, nth) => (partNumber % 5 === 0 && nth === 1 ? 326_000 : 1000)
  const rig = createRig({ parts: 100, concurrency: 30, hedge: true, takesMs: slow })
  await rig.go()
  expect(rig.eventsOf('hedge')).toHaveLength(20)
  expect(rig.clock.elapsedMs()).toBeLessThan(25_000)
})

test('a part that is late each time is started ever later', async () => {
  const rig = createRig({ ...stuck, takesMs: partNumber => (partNumber === 10 ? 60_000 : 1000) })
  await rig.go()
  const gaps = rig.eventsOf('hedge').map(({ atMs }, i, all) => (i === 0 ? 0 : atMs - all[i - 1].atMs))
  expect(gaps.slice(1, 4)).toEqual([5_000, 7_000, 9_000])
})

test('of a batch only what is not done starts again', async () => {
  const rig = createRig({
    parts: 16,
    concurrency: 8,
    partsPerInvocation: 2,
    hedge: true,
    takesMs: (partNumber, nth) => (partNumber === 16 && nth === 1 ? 60_000 : 1000),
  })
  await rig.go()
  const twins = rig.eventsOf('hedge').map(({ partNumber }) => partNumber)
  expect(twins.every(partNumber => partNumber >= 15)).toBe(true)
  expect(rig.eventsOf('part')).toHaveLength(16)
})
