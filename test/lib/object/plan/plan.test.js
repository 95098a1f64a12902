'use strict'

const fc = require('fast-check')
const { planObject } = require('../../../../lib/object')
const { limitsOf, profileOf } = require('../../../../lib/stores/s3/profiles')

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const S3 = limitsOf(profileOf({ host: 's3.us-east-1.amazonaws.com' }))

const plan = (bytes, chunkBytes, limits = S3, wholePut = true) => planObject({ bytes, chunkBytes, limits, wholePut })

describe('a plan', () => {
  const anyWork = fc
    .record({
      minBytes: fc.integer({ min: 1, max: 8 * MiB }),
      room: fc.integer({ min: 0, max: 64 * MiB }),
      maxParts: fc.integer({ min: 1, max: 40 }),
      chunkBytes: fc.integer({ min: 1, max: 128 * MiB }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ minBytes, room, maxParts, chunkBytes, share }) => {
      const limits = { minBytes, maxBytes: minBytes + room, maxParts, equalParts: false }
      return { bytes: Math.floor(share * limits.maxBytes * maxParts), chunkBytes, limits }
    })

  test('holds every byte once, in order, within the limits of the destination', () => {
    fc.assert(
      fc.property(anyWork, ({ bytes, chunkBytes, limits }) => {
        const { parts, partBytes, bytes: planned } = plan(bytes, chunkBytes, limits)
        expect(planned).toBe(bytes)
        expect(parts.length).toBeLessThanOrEqual(limits.maxParts)
        let next = 0
        for (const [i, part] of parts.entries()) {
          expect(part.partNumber).toBe(i + 1)
          expect(part.start).toBe(next)
          const last = i === parts.length - 1
          if (!last) expect(part.bytes).toBe(partBytes)
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

  test('for AWS holds every byte of objects of any size once, in parts that AWS takes', () => {
    const size = fc.oneof(fc.nat({ max: 100 * GiB }), fc.nat({ max: 10_000 * 5 * GiB }))
    fc.assert(
      fc.property(size, fc.integer({ min: 1, max: 6 * GiB }), (bytes, chunkBytes) => {
        const { parts } = plan(bytes, chunkBytes)
        const wrong = parts.filter(({ partNumber, start, bytes: size }, i) => {
          const end = i === parts.length - 1 ? bytes : parts[i + 1].start
          const small = i < parts.length - 1 && size < 5 * MiB
          return partNumber !== i + 1 || start + size !== end || small || size > 5 * GiB
        })
        expect(wrong).toEqual([])
        expect({ first: parts[0].start, most: parts.length <= 10_000 }).toEqual({ first: 0, most: true })
      }),
    )
  })

  test('goes whole exactly when it has one part, and says why wherever it takes another chunk', () => {
    fc.assert(
      fc.property(anyWork, ({ bytes, chunkBytes, limits }) => {
        const { route, parts, partBytes, notices } = plan(bytes, chunkBytes, limits)
        expect(route).toBe(parts.length === 1 ? 'put' : 'multipart')
        if (partBytes !== chunkBytes) expect(notices).not.toEqual([])
        else expect(notices).toEqual([])
      }),
    )
  })

  test.each([
    // bytes, chunk, route, sizes of the parts
    [0, 100 * MiB, 'put', [0]],
    [1, 100 * MiB, 'put', [1]],
    [8 * MiB - 1, 8 * MiB, 'put', [8 * MiB - 1]],
    [8 * MiB, 8 * MiB, 'put', [8 * MiB]],
    [8 * MiB + 1, 8 * MiB, 'multipart', [8 * MiB, 1]],
    [16 * MiB, 8 * MiB, 'multipart', [8 * MiB, 8 * MiB]],
    [16 * MiB + 1, 8 * MiB, 'multipart', [8 * MiB, 8 * MiB, 1]],
    [2 * 5_242_881 + 7, 5_242_881, 'multipart', [5_242_881, 5_242_881, 7]],
  ])('of %i bytes by %i goes by %s in %j', (bytes, chunk, route, sizes) => {
    const { parts, ...rest } = plan(bytes, chunk)
    expect(parts.map(part => part.bytes)).toEqual(sizes)
    expect(rest).toEqual({ route, bytes, partBytes: chunk, notices: [] })
  })
})

test.each([
  [0, 'put'],
  [1, 'multipart'],
  [8 * MiB, 'multipart'],
])('where a PUT could not be called back, %i bytes go by %s, in one part', (bytes, route) => {
  expect(plan(bytes, 8 * MiB, S3, false)).toMatchObject({ route, parts: [{ partNumber: 1, start: 0, bytes }] })
})

describe('the chunk', () => {
  test('of an object that would need 10,001 parts is raised to the next whole MiB', () => {
    const { partBytes, parts, notices } = plan(10_000 * 8 * MiB + 1, 8 * MiB)
    expect(partBytes).toBe(9 * MiB)
    expect(parts.length).toBe(Math.ceil((10_000 * 8 * MiB + 1) / (9 * MiB)))
    expect(notices).toMatchObject([
      {
        code: 'CHUNK_CHANGED',
        message:
          'The chunk was raised to 9 MiB: the object would have needed 10,001 parts, and the destination accepts 10,000.',
      },
    ])
  })

  test('stays where exactly 10,000 parts are needed', () => {
    const { partBytes, parts, notices } = plan(10_000 * 8 * MiB, 8 * MiB)
    expect({ partBytes, parts: parts.length, notices }).toEqual({ partBytes: 8 * MiB, parts: 10_000, notices: [] })
  })

  test('below the least part is raised, above the largest lowered, each with a notice', () => {
    expect(plan(GiB, 1)).toMatchObject({
      partBytes: 5 * MiB,
      notices: [{ message: 'The chunk was raised to 5 MiB, the smallest part size that the destination accepts.' }],
    })
    expect(plan(GiB, 6 * GiB)).toMatchObject({
      partBytes: 5 * GiB,
      notices: [{ message: 'The chunk was lowered to 5,120 MiB, the largest part size that the destination accepts.' }],
    })
  })

  test('is never raised beyond the largest part, though the next whole MiB would be', () => {
    const limits = { minBytes: 1, maxBytes: 2.5 * MiB, maxParts: 2, equalParts: false }
    const { partBytes, parts } = plan(5 * MiB, MiB, limits)
    expect({ partBytes, parts: parts.length }).toEqual({ partBytes: 2.5 * MiB, parts: 2 })
  })

  test('makes parts of equal size but the last, as Cloudflare R2 wants them', () => {
    const r2 = limitsOf(profileOf({ host: 'account.r2.cloudflarestorage.com' }))
    expect(r2.equalParts).toBe(true)
    const sizes = plan(1000 * MiB + 3, 7 * MiB, r2).parts.map(part => part.bytes)
    expect(new Set(sizes.slice(0, -1))).toEqual(new Set([7 * MiB]))
    expect(sizes.at(-1)).toBeLessThan(7 * MiB)
  })
})

test('an object that no number of parts would hold is refused with both numbers', () => {
  const most = 10_000 * 5 * GiB
  expect(plan(most, 100 * MiB).parts).toHaveLength(10_000)
  expect(() => plan(most + 1, 100 * MiB)).toThrow(
    expect.objectContaining({ code: 'TOO_LARGE', exitCode: 2, facts: { bytes: most + 1, most } }),
  )
})
