'use strict'

const fc = require('fast-check')
const { chooseAuto, isWorthAsking } = require('../../../../lib/object/plan/chunk-auto')
const { planObject } = require('../../../../lib/object')

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const TiB = 1024 ** 4
const S3 = { minBytes: 5 * MiB, maxBytes: 5 * GiB, maxParts: 10_000, equalParts: false }
/** Upstream's defaults. */
const OPENWHISK = { timeoutMs: 60_000, answerMs: 60_000, perMinute: 60 }
const OF_FUNCTIONS = { usual: 96 * MiB, least: 16 * MiB }
const OF_THREADS = { usual: 32 * MiB, least: 8 * MiB }
const HERE = { timeoutMs: Infinity, answerMs: Infinity, perMinute: Infinity }

const onPlatform = (bytes, more = {}) => ({
  bytes,
  limits: S3,
  partBytes: OF_FUNCTIONS,
  lanes: 30,
  allowed: OPENWHISK,
  ...more,
})
const here = (bytes, more = {}) => ({ bytes, limits: S3, partBytes: OF_THREADS, lanes: 8, allowed: HERE, ...more })
const allowed = more => ({ allowed: { ...OPENWHISK, ...more } })

test.each([
  ['a large object by functions', onPlatform(100 * GiB), 96, 'costs little to start'],
  ['a large object here', here(100 * GiB), 32, 'costs little to start'],
  ['one that would leave lanes idle', onPlatform(8 * GiB), 69, 'gives each of 30 at once 4 parts'],
  ['a small one here', here(100 * MiB), 8, 'less to start than to copy'],
  ['functions with little time', onPlatform(100 * GiB, allowed({ timeoutMs: 10_000 })), 26, "within a function's time"],
  ['one of very many parts', onPlatform(1.2 * TiB), 126, '10,000 parts'],
  [
    'a destination of small parts',
    here(100 * GiB, { limits: { ...S3, maxBytes: 20 * MiB } }),
    20,
    'the largest part size that the destination accepts',
  ],
  [
    'a destination of large parts',
    here(100 * GiB, { limits: { ...S3, minBytes: 64 * MiB } }),
    64,
    'the smallest part size that the destination accepts',
  ],
  ['a quota that is no hindrance', onPlatform(20 * GiB), 96, 'costs little to start'],
  ['a source of usual parts', onPlatform(100 * GiB, { source: { bytes: 64 * MiB, parts: 1600 } }), 64, 'the same ETag'],
  ['a source of uneven parts', onPlatform(100 * GiB, { source: { bytes: 64 * MiB, parts: 1500 } }), 96, 'little'],
])('%s', (_, situation, mib, reason) => {
  const { bytes, why } = chooseAuto(situation)
  expect({ mib: bytes / MiB, why }).toEqual({ mib, why: expect.stringContaining(reason) })
  expect(why).toMatch(/^A chunk of [\d,.]+ MiB .*\.$/)
})

test.each([
  ['of one piece', '"d41d8cd98f00b204e9800998ecf8427e"', false],
  ['that is no MD5', '"opaque-7"', false],
  ['of parts that may be of 64 MiB', '"d41d8cd98f00b204e9800998ecf8427e-160"', true],
  ['of parts of 5 MiB', '"d41d8cd98f00b204e9800998ecf8427e-2048"', false],
  ['of more parts than are allowed', '"d41d8cd98f00b204e9800998ecf8427e-10001"', false],
])('a source with an ETag %s: whether it is asked for its parts', (_, etag, asked) => {
  expect(isWorthAsking(etag, onPlatform(10 * GiB))).toBe(asked)
})

const anySituation = fc
  .record({
    partBytes: fc.constantFrom(OF_FUNCTIONS, OF_THREADS),
    lanes: fc.integer({ min: 1, max: 10_000 }),
    limits: fc
      .record({
        minBytes: fc.integer({ min: 1, max: 64 * MiB }),
        more: fc.integer({ min: 0, max: 5 * GiB }),
        maxParts: fc.integer({ min: 1, max: 10_000 }),
      })
      .map(({ minBytes, more, maxParts }) => ({ minBytes, maxBytes: minBytes + more, maxParts, equalParts: false })),
    allowed: fc.record({
      timeoutMs: fc.constantFrom(100, 10_000, 60_000, 300_000, 900_000, Infinity),
      answerMs: fc.constantFrom(60_000, Infinity),
      perMinute: fc.constantFrom(30, 60, 600, Infinity),
    }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    source: fc.option(
      fc.record({ bytes: fc.integer({ min: 1, max: 5 * GiB }), parts: fc.integer({ min: 1, max: 10_000 }) }),
      {
        nil: undefined,
      },
    ),
  })
  .map(({ share, ...rest }) => ({
    ...rest,
    // Small ones as often as large ones.
    bytes: Math.floor((rest.limits.maxParts * rest.limits.maxBytes) ** share),
  }))

test('whatever the situation, the plan takes the size as it is: within the limits, and of no more parts than allowed', () => {
  fc.assert(
    fc.property(anySituation, situation => {
      const { bytes, limits } = situation
      const chosen = chooseAuto(situation)
      const plan = planObject({ bytes, chunkBytes: chosen.bytes, limits, wholePut: false })
      expect(Number.isSafeInteger(chosen.bytes)).toBe(true)
      expect({ partBytes: plan.partBytes, notices: plan.notices }).toEqual({ partBytes: chosen.bytes, notices: [] })
      expect(plan.parts.length).toBeLessThanOrEqual(limits.maxParts)
    }),
    { numRuns: 200 },
  )
})

test('a slow function is done in a third of its time, unless the destination wants larger parts', () => {
  fc.assert(
    fc.property(anySituation, situation => {
      const {
        bytes,
        limits,
        allowed: { timeoutMs, answerMs },
      } = situation
      const chosen = chooseAuto(situation)
      const wanted = Math.max(limits.minBytes, Math.ceil(bytes / limits.maxParts / MiB) * MiB)
      const inTime = (Math.min(timeoutMs, answerMs) / 3000) * 8 * MiB
      expect(chosen.bytes).toBeLessThanOrEqual(Math.max(wanted, inTime))
    }),
    { numRuns: 200 },
  )
})
