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
