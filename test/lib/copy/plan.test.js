'use strict'

/** How an object is divided. */

const fc = require('fast-check')
const { XferError } = require('../../../lib/errors')
const { planObject } = require('../../../lib/copy')
const { limitsOf, knownOf } = require('../../../lib/stores/servers')
const { chooseAuto, chooseChunk, needsParts } = require('../../../lib/copy/plan')

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const S3 = limitsOf(knownOf({ host: 's3.us-east-1.amazonaws.com' }))

const plan = (bytes, chunkBytes, limits = S3, wholePut = true) => planObject({ bytes, chunkBytes, limits, wholePut })

const anyWork = fc
  .record({
    minBytes: fc.integer({ min: 1, max: 8 * MiB }),
    room: fc.integer({ min: 0, max: 64 * MiB }),
    maxParts: fc.integer({ min: 2, max: 40 }),
    chunkBytes: fc.integer({ min: 1, max: 128 * MiB }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ minBytes, room, maxParts, chunkBytes, share }) => {
    const limits = { minBytes, maxBytes: minBytes + room, maxParts, equalParts: false }
    return { bytes: Math.floor(share * limits.maxBytes * maxParts), chunkBytes, limits }
  })

test('a plan holds all bytes once, in order, within limits, whole if in one part, and tells another chunk', () => {
  fc.assert(
    fc.property(anyWork, ({ bytes, chunkBytes, limits }) => {
      const { route, notices, parts, partBytes, bytes: planned } = plan(bytes, chunkBytes, limits)
      expect([planned, route, notices.length > 0]).toEqual([
        ...[bytes, parts.length === 1 ? 'put' : 'multipart', partBytes !== chunkBytes],
      ])
      expect(parts.length).toBeLessThanOrEqual(limits.maxParts)
      let next = 0
      for (const [i, part] of parts.entries()) {
        expect(part).toMatchObject({ partNumber: i + 1, start: next })
        if (i < parts.length - 1) expect(part.bytes).toBe(partBytes)
        if (bytes > 0) expect(part.bytes).toBeGreaterThan(0)
        next += part.bytes
      }
      expect(next).toBe(bytes)
      expect(partBytes).toBeGreaterThanOrEqual(limits.minBytes)
      expect(partBytes).toBeLessThanOrEqual(limits.maxBytes)
    }),
    { numRuns: 200 },
  )
})

test('without uploads a plan is one request whatever the chunk, and none of an engine that cannot cancel it', () => {
  const whole = { minBytes: 1, maxBytes: 64 * MiB, maxParts: 1, equalParts: true }
  expect(plan(40 * MiB, 8 * MiB, whole)).toMatchObject({ route: 'put', notices: [], parts: [{ bytes: 40 * MiB }] })
  expect(plan(0, 8 * MiB, whole)).toMatchObject({ route: 'put', parts: [{ bytes: 0 }] })
  expect(() => plan(65 * MiB, 8 * MiB, whole)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }))
  expect(() => plan(1, 8 * MiB, whole, false)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

test.each(Object.entries({ 0: 'put', [8 * MiB]: 'multipart' }))(
  'where a PUT could not be called back, %s bytes go by %s, in one part',
  (text, route) => {
    const bytes = Number(text)
    expect(plan(bytes, 8 * MiB, S3, false)).toMatchObject({ route, parts: [{ partNumber: 1, start: 0, bytes }] })
  },
)

test('an object that no number of parts would hold is refused with both numbers', () => {
  const most = 10_000 * 5 * GiB
  expect(plan(most, 100 * MiB).parts).toHaveLength(10_000)
  expect(() => plan(most + 1, 100 * MiB)).toThrow(
    expect.objectContaining({ code: 'TOO_LARGE', exitCode: 2, facts: { bytes: most + 1, most } }),
  )
})

const ENGINE = { partBytes: { usual: 32 * MiB, least: 8 * MiB }, startWith: 16 }
const ALLOWED = { concurrent: 4, timeoutMs: Infinity, answerMs: Infinity }
const MATCH = { matchChunk: true, chunkBytes: 100 * MiB }
const partsOf = (mib, parts) => async () => ({ bytes: mib * MiB, parts })
const fails = (code, facts) => () => Promise.reject(new XferError(code, facts))
const DENIED = fails('ACCESS_DENIED', { action: 'read' })
/** @param {object} settings @param {object} more of the store @param {object} object */
function choose(settings, more, object) {
  const store = { limits: S3, can: {}, ...more }
  const job = {
    source: { store, key: 'key', versionId: 'old' },
    destination: { store },
    engine: ENGINE,
    settings,
    run: {},
  }
  return chooseChunk(job, { etag: '"e"', ...object }, async () => ALLOWED)
}

test.each([
  ['given', { chunkBytes: 50 * MiB }, { bytes: 50, matched: false }],
  ["the source's own", MATCH, { bytes: 8, matched: true }, partsOf(8, 25)],
  ['of a source of one part: no smaller than usual', MATCH, { bytes: 100, matched: true, of: 8 }, partsOf(8, 1)],
  ['of a source of one large part', MATCH, { bytes: 200, matched: true }, partsOf(200, 1)],
  ['of uneven parts, with a notice', MATCH, { bytes: 8, matched: true, told: 1 }, partsOf(8, 24)],
  ['not told, with a notice', MATCH, { bytes: 100, matched: false, told: 1 }, fails('STORE_REFUSED', { status: 501 })],
  ['not asked for, as nobody may: that is no store that does not tell', MATCH, { code: 'ACCESS_DENIED' }, DENIED],
  ['for as many at once as the user wants', { autoChunk: true, concurrency: 2 }, { bytes: 25, matched: false }],
  ['for no more at once than is allowed', { autoChunk: true, concurrency: 8 }, { bytes: 13, matched: false }],
])('the size of a chunk %s', async (_, settings, { told = 0, of = 200, ...expected }, partSize = undefined) => {
  const found = await choose(settings, { partSize }, { bytes: of * MiB }).then(
    ({ bytes, matched, notices }) => ({ bytes: bytes / MiB, matched, told: notices.length }),
    ({ code }) => ({ code, told }),
  )
  expect(found).toEqual({ ...expected, told })
})

test('with --chunk match an object that was uploaded as one part goes as a part, for the same ETag, and one of a PUT does not', () => {
  const goes = end => needsParts({ bytes: 5, etag: `"${'0'.repeat(32)}${end}"` }, MATCH)
  expect(['-1', ''].map(goes)).toEqual([true, false])
})

test.each([
  ['made of MD5s are asked for: an equal copy can have their ETag', 'md5', undefined, 1],
  ['that is encrypted are not: its ETag is of no use', 'md5', true, 0],
  ['are not, where the destination makes other ETags', 'other', undefined, 0],
])('the size of a chunk with --chunk auto the parts of a source %s', async (_, partTag, encrypted, count) => {
  const partSize = jest.fn(partsOf(8, 25))
  const object = { bytes: 200 * MiB, etag: `"${'0'.repeat(32)}-25"`, encrypted }
  await choose({ autoChunk: true, concurrency: 8 }, { can: { partTag }, partSize }, object)
  expect(partSize.mock.calls).toEqual(Array(count).fill(['key', { versionId: 'old' }]))
})

describe('--chunk auto', () => {
  const TiB = 1024 ** 4
  /** Upstream's defaults. */
  const OPENWHISK = { timeoutMs: 60_000, answerMs: 60_000, perMinute: 60 }
  const OF_FUNCTIONS = { usual: 96 * MiB, least: 16 * MiB }
  const OF_THREADS = { usual: 32 * MiB, least: 8 * MiB }
  const HERE = { timeoutMs: Infinity, answerMs: Infinity, perMinute: Infinity }

  const SOURCE = { bytes: 64 * MiB, parts: 1600 }
  const PLATFORM = { limits: S3, partBytes: OF_FUNCTIONS, lanes: 30, allowed: OPENWHISK }
  const onPlatform = (bytes, more = {}) => ({ bytes, ...PLATFORM, ...more })
  const here = (bytes, more = {}) => ({ bytes, limits: S3, partBytes: OF_THREADS, lanes: 8, allowed: HERE, ...more })

  test.each([
    ['a large object by functions', onPlatform(100 * GiB), 96, 'costs little to start'],
    ['a small one here', here(100 * MiB), 8, 'less to start than to copy'],
    ['one of very many parts', onPlatform(1.2 * TiB), 126, '10,000 parts'],
    ['a source of usual parts', onPlatform(100 * GiB, { source: SOURCE }), 64, 'the same ETag'],
  ])('%s', (_, situation, mib, reason) => {
    const { bytes, why } = chooseAuto(situation)
    expect({ mib: bytes / MiB, why }).toEqual({ mib, why: expect.stringContaining(reason) })
    expect(why).toMatch(/^A chunk of [\d,.]+ MiB .*\.$/)
  })

  const anySource = fc.record({
    bytes: fc.integer({ min: 1, max: 5 * GiB }),
    parts: fc.integer({ min: 1, max: 10_000 }),
  })
  const anySituation = fc
    .record({
      partBytes: fc.constantFrom(OF_FUNCTIONS, OF_THREADS),
      lanes: fc.integer({ min: 1, max: 10_000 }),
      limits: fc
        .record({
          minBytes: fc.integer({ min: 1, max: 64 * MiB }),
          more: fc.integer({ min: 0, max: 5 * GiB }),
          maxParts: fc.integer({ min: 2, max: 10_000 }),
        })
        .map(({ minBytes, more, maxParts }) => ({ minBytes, maxBytes: minBytes + more, maxParts, equalParts: false })),
      allowed: fc.record({
        timeoutMs: fc.constantFrom(100, 10_000, 60_000, 300_000, 900_000, Infinity),
        answerMs: fc.constantFrom(60_000, Infinity),
        perMinute: fc.constantFrom(30, 60, 600, Infinity),
      }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      source: fc.option(anySource, { nil: undefined }),
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
})
