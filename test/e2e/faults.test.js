'use strict'

/** Stores that misbehave: the copy ends whole all the same, or says what is wrong. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = 20 * MiB + 1
const SMALL = 1000

describe('a store that misbehaves', () => {
  let server
  let route
  beforeAll(async () => {
    server = await startStore()
    route = await openRoute({ source: server })
    await put(route.from, 'large', bytesOf(LARGE))
    await put(route.from, 'small', bytesOf(SMALL))
  })
  afterEach(() => server.faults.clear())
  afterAll(async () => {
    route?.close()
    await server?.close()
  })

  /** What passes: a copy that meets it is tried again and ends whole. */
  const PASSING = [
    ['answers parts with 503', 'large', { operation: 'UploadPart', first: 2, status: 503 }],
    ['answers reads with 503', 'large', { operation: 'GetObject', first: 2, status: 503 }],
    ['answers reads with 500', 'small', { operation: 'GetObject', first: 1, status: 500 }],
    ['answers a write with 429', 'small', { operation: 'PutObject', first: 1, status: 429 }],
    ['cuts a read in the middle', 'large', { operation: 'GetObject', nth: 2, cutAfterBytes: 3 * MiB }],
    ['cuts a part in the middle', 'large', { operation: 'UploadPart', partNumber: 2, nth: 1, cutAfterBytes: 3 * MiB }],
    ['cuts a whole object in the middle', 'small', { operation: 'PutObject', nth: 1, cutAfterBytes: 500 }],
    ['loses the answer to a part', 'large', { operation: 'UploadPart', partNumber: 3, nth: 1, loseAnswer: true }],
    ['loses the answer to a whole object', 'small', { operation: 'PutObject', nth: 1, loseAnswer: true }],
    ['tells another range than asked', 'large', { operation: 'GetObject', nth: 2, wrongContentRange: true }],
    ['answers a range with everything', 'large', { operation: 'GetObject', nth: 2, ignoreRange: true }],
    ['flips a byte of a part on its way', 'large', { operation: 'UploadPart', partNumber: 2, nth: 1, flipByteAt: MiB }],
    ['flips a byte of a whole object on its way', 'small', { operation: 'PutObject', nth: 1, flipByteAt: 500 }],
    [
      'refuses control calls at first',
      'large',
      { operation: ['HeadObject', 'CreateMultipartUpload'], first: 2, status: 503 },
    ],
    ['loses the answer to the completion', 'large', { operation: 'CompleteMultipartUpload', nth: 1, loseAnswer: true }],
    [
      'says 200 to a completion that failed',
      'large',
      { operation: 'CompleteMultipartUpload', nth: 1, errorInBody: true },
    ],
  ]

  it.each(PASSING)('and %s: the copy ends whole', async (what, key, fault) => {
    const { to, copy } = route
    const target = `${key} ${what}`
    const struck = server.faults.add(fault)
    const { status, last, events } = await copy(key, target)
    expect({ status, last }).toMatchObject({ status: 0, last: { proof: expect.arrayContaining(['store-crc32']) } })
    expect(struck.hits).toBeGreaterThan(0)
    expect(events.filter(({ type }) => type === 'retry' || type === 'throttle').length).toBeGreaterThan(0)
    server.faults.clear()
    expect((await get(to, target)).equals(bytesOf(key === 'large' ? LARGE : SMALL))).toBe(true)
  })

  it.each([
    ['a whole object', 'small', { operation: 'PutObject', nth: 1, loseAnswer: true }],
    ['the completion', 'large', { operation: 'CompleteMultipartUpload', nth: 1, loseAnswer: true }],
  ])(
    'and loses the answer to %s that must not replace anything: what is there is known as ours',
    async (what, key, fault) => {
      const { to, copy } = route
      const target = `once ${what}`
      const struck = server.faults.add(fault)
      const { status, last } = await copy(key, target, ['--no-clobber'])
      expect({ status, code: last.code, hits: struck.hits }).toEqual({ status: 0, code: undefined, hits: 1 })
      expect((await get(to, target)).equals(bytesOf(key === 'large' ? LARGE : SMALL))).toBe(true)
    },
  )

  it('and fails a third of everything: the copy ends whole', async () => {
    const { to, copy } = route
    server.faults.add({ operation: ['GetObject', 'UploadPart'], probability: 0.3, status: 500 })
    const { status, last } = await copy('large', 'third', ['--retries', '20'])
    expect(status).toBe(0)
    expect(last.retried).toBeGreaterThan(0)
    server.faults.clear()
    expect((await get(to, 'third')).equals(bytesOf(LARGE))).toBe(true)
  })

  /** What does not pass. */
  const LASTING = [
    ['fails every part', 'large', { operation: 'UploadPart', status: 500 }, 1, 'PART_FAILED'],
    ['fails every write', 'small', { operation: 'PutObject', status: 500 }, 1, 'PART_FAILED'],
    ['refuses parts', 'large', { operation: 'UploadPart', status: 403, code: 'AccessDenied' }, 4, 'ACCESS_DENIED'],
    [
      'refuses reads of bytes',
      'large',
      { operation: 'GetObject', status: 403, code: 'AccessDenied' },
      4,
      'ACCESS_DENIED',
    ],
    ['flips a byte of every part', 'large', { operation: 'UploadPart', flipByteAt: MiB }, 8, 'PART_FAILED'],
    ['flips a byte of every object', 'small', { operation: 'PutObject', flipByteAt: 5 }, 8, 'PART_FAILED'],
    [
      'refuses the completion',
      'large',
      { operation: 'CompleteMultipartUpload', status: 400, code: 'InvalidPart' },
      8,
      'INTEGRITY',
    ],
  ]
  it.each(LASTING)('and %s: the copy fails, and leaves nothing', async (what, key, fault, exitCode, code) => {
    const { to, copy } = route
    const target = `${key} ${what}`
    const struck = server.faults.add(fault)
    const { status, last } = await copy(key, target, ['--retries', '1'])
    expect({ status, last }).toMatchObject({ status: exitCode, last: { code } })
    expect(struck.hits).toBeGreaterThan(0)
    expect(await keysOf(to, target)).toEqual([])
  })

  it('and the source keeps a checksum: a byte flipped while it was read is found', async () => {
    const { from, to, copy } = route
    await put(from, 'summed', bytesOf(LARGE), { checksum: true })
    const once = server.faults.add({ operation: 'GetObject', nth: 1, flipByteAt: 100 })
    const { status, last, events } = await copy('summed', 'flipped')
    expect({ status, hits: once.hits }).toEqual({ status: 0, hits: 1 })
    expect(last.proof).toEqual(['store-crc32', 'source-crc32', 'source-read'])
    expect(events.filter(({ type }) => type === 'part')).toHaveLength(6)
    once.remove()
    expect((await get(to, 'flipped')).equals(bytesOf(LARGE))).toBe(true)
    server.faults.add({ operation: 'GetObject', flipByteAt: 100 })
    const always = await copy('summed', 'flipped always', ['--retries', '0'])
    expect({ status: always.status, code: always.last.code }).toEqual({ status: 8, code: 'INTEGRITY' })
    expect(await keysOf(to, 'flipped always')).toEqual([])
  })
})
