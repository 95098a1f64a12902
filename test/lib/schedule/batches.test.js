'use strict'

const { createRig, failure, refusal } = require('./rig')

const MB = 1e6
/** As on a fresh minute of the platform's clock. */
const FRESH = 1_700_000_040_000
const UPSTREAM = { perMinute: 60, timeoutMs: 300_000, answerMs: 60_000, payloadBytes: 1024 ** 2 }
const sizes = rig => rig.invocations.map(({ partNumbers }) => partNumbers.length)
/** Invocations of each calendar minute, from the first one on. */
function perMinute(rig) {
  const counts = new Map()
  for (const { atMs } of rig.invocations) {
    const minute = Math.floor((FRESH + atMs) / 60_000)
    counts.set(minute, (counts.get(minute) ?? 0) + 1)
  }
  return [...counts.values()]
}

describe('a quota of invocations a minute', () => {
  /** 120 GB as 1,200 parts of 100 MB, each of which takes a function two seconds. */
  const large = { parts: 1200, bytes: 100 * MB, takesMs: 2000, concurrency: 30, startMs: FRESH, limits: UPSTREAM }

  test('is kept, and does not hold the copy back', async () => {
    const rig = createRig(large)
    expect(await rig.go()).toHaveLength(1200)
    expect(Math.max(...perMinute(rig))).toBeLessThanOrEqual(60)
    expect(rig.eventsOf('throttle')).toEqual([])
    // Thirty functions of 50 MB/s need 80 s for 120 GB; at one part an invocation the quota alone would need 20 minutes.
    expect(rig.clock.elapsedMs()).toBeLessThan(2 * 80_000)
    // Half of an even share, at most.
    expect(Math.max(...sizes(rig))).toBeLessThanOrEqual(1200 / 30 / 2)
  })
})

describe('an invocation of several parts', () => {
  const three = { parts: 9, concurrency: 1, partsPerInvocation: 3 }

  test('that a function cannot hold becomes smaller, and costs no part an attempt', async () => {
    const answerAll = ({ partNumbers }) => (partNumbers.length > 1 ? refusal('ACTIVATION_OUT_OF_MEMORY') : undefined)
    const rig = createRig({ ...three, parts: 8, partsPerInvocation: 8, retries: 0, answerAll })
    expect(await rig.go()).toHaveLength(8)
    expect(sizes(rig).slice(0, 4)).toEqual([8, 4, 2, 1])
    expect(rig.invocations.at(-1).parallel).toBe(1)
    expect(rig.eventsOf('part').map(({ attempt }) => attempt)).toEqual(Array(8).fill(1))
  })

  test('whose time is up hands the rest back, without an attempt, and the next ones carry less', async () => {
    const rig = createRig({
      ...three,
      parts: 12,
      partsPerInvocation: 6,
      retries: 0,
      answerAll: ({ partNumbers }) =>
        partNumbers.map((partNumber, i) =>
          i < 4 ? rig.copied(partNumber) : { partNumber, ...failure('NOT_STARTED') },
        ),
    })
    expect(await rig.go()).toHaveLength(12)
    expect(rig.eventsOf('retry')).toEqual([])
    expect(sizes(rig)).toEqual([6, 4, 4])
  })
})

describe('an invocation whose answer was lost', () => {
  const lost = ({ nth }) => (nth === 1 ? refusal('PLATFORM_UNREACHABLE') : undefined)
  const five = { parts: 5, concurrency: 1, partsPerInvocation: 5, answerAll: lost }

  test('and of which the destination cannot tell costs another attempt', async () => {
    const settle = async () => {
      throw refusal('STORE_ERROR')
    }
    const rig = createRig({ ...five, retries: 2, settle })
    await expect(rig.go()).rejects.toMatchObject({ code: 'PART_FAILED', facts: { attempts: 3 } })
    expect(rig.invocations).toHaveLength(1)
  })
})
