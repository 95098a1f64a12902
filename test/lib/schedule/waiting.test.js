'use strict'

/** Invocations that the platform answers without their result, and whose result it never tells: the destination is asked. */

const { createRig } = require('./rig')

const ANSWERS_MS = 60_000

/** @param {Parameters<typeof createRig>[0]} how */
function createAsked(how) {
  const asked = []
  const rig = createRig({
    answersMs: ANSWERS_MS,
    hedge: true,
    settle: async parts => {
      asked.push({ atMs: rig.clock.elapsedMs(), parts: parts.length })
      return rig.shown(parts)
    },
    ...how,
  })
  return { rig, asked }
}

test('one part is done soon after it is there, and few questions were asked', async () => {
  const { rig, asked } = createAsked({ parts: 1, takesMs: 90_000 })
  await rig.go()
  expect(rig.clock.elapsedMs()).toBeLessThan(1.3 * 90_000)
  expect(rig.clock.elapsedMs()).toBeGreaterThanOrEqual(90_000)
  expect(rig.started).toHaveLength(1)
  expect(asked.length).toBeLessThan(10)
})

test('parts that wait in the queue of the platform are not started again, and one question is about all of them', async () => {
  const { rig, asked } = createAsked({ parts: 64, takesMs: 27_000, containers: 16, concurrency: 64 })
  await rig.go()
  expect(rig.clock.elapsedMs()).toBeLessThan(1.3 * 4 * 27_000)
  // As many as the budget of hedged requests lets start twice before the platform has answered.
  expect(rig.started.length).toBeLessThanOrEqual(64 * 1.05)
  expect(asked.length).toBeLessThan(20)
  expect(Math.max(...asked.map(({ parts }) => parts))).toBeGreaterThan(8)
})

test('a read, of which nothing is at the destination, starts again after the time that it should take', async () => {
  // The record of the second one is kept.
  const { rig } = createAsked({ parts: 1, settle: undefined, takesMs: (_, nth) => (nth === 1 ? 90_000 : 50_000) })
  await rig.go()
  const [, second] = rig.started
  expect([second.atMs >= 2 * ANSWERS_MS, second.atMs < 2.5 * ANSWERS_MS]).toEqual([true, true])
  expect(rig.clock.elapsedMs()).toBeLessThan(200_000)
})

test('where the destination may not be asked, the part starts again too', async () => {
  const { rig } = createAsked({
    parts: 1,
    settle: async () => {
      throw Object.assign(new Error('denied'), { retryable: false })
    },
    takesMs: (_, nth) => (nth === 1 ? 90_000 : 50_000),
  })
  await rig.go()
  expect(rig.started).toHaveLength(2)
  expect(rig.clock.elapsedMs()).toBeLessThan(200_000)
})
