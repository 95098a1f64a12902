'use strict'

/** Stores that misbehave, also once the last byte is there: the copy is right all the same, or says what is wrong. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2

/** Stores that misbehave: the copy ends whole all the same, or says what is wrong. */
describe('faults', () => {
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
      ['flips a byte of every object', 'small', { operation: 'PutObject', flipByteAt: 5 }, 8, 'PART_FAILED'],
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
      // The first byte, for the last part has no other.
      const once = server.faults.add({ operation: 'GetObject', nth: 1, flipByteAt: 0 })
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
})

/** What is left of the completion to the real program: test/lib/object/multipart/trouble.test.js has each trouble with each call. */
describe('the end of a copy', () => {
  const BODIES = { large: bytesOf(10 * MiB + 1), small: bytesOf(1000) }
  const PUT = { operation: 'PutObject' }
  let server
  let route

  beforeAll(async () => {
    server = await startStore({ rememberCompletions: false })
    route = await openRoute({ source: server })
    for (const [key, body] of Object.entries(BODIES)) await put(route.from, key, body)
  })
  afterEach(() => server.faults.clear())
  afterAll(async () => {
    route?.close()
    await server?.close()
  })

  it.each([
    ['a copy', 'small', 'there/small', []],
    ['a copy of a prefix', '', 'there/', ['-r', '--exclude', 'large']],
  ])(
    'a store that never does it, where what %s would write is there already: by a look that is settled',
    async (_, key, target, flags) => {
      await put(route.to, 'there/small', BODIES.small)
      const ends = []
      const copy = async () => {
        const rule = server.faults.add({ ...PUT, status: 502 })
        const { status } = await route.copy(key, target, [...flags, '--retries', '1'])
        rule.remove()
        ends.push([status, rule.hits > 0])
      }
      await copy()
      // With other metadata it is another object.
      await put(route.to, 'there/small', BODIES.small, { user: { color: 'blue' } })
      await copy()
      expect(ends).toEqual([
        [0, true],
        [1, true],
      ])
    },
  )

  it.each([
    ['large', { operation: 'CompleteMultipartUpload', loseAnswer: true, nth: 1 }],
    ['small', { ...PUT, loseAnswer: true }],
  ])(
    'the answer of the %s object is lost, and it may not be looked at: it says what is not known',
    async (key, lost) => {
      const unseen = { operation: ['HeadObject', 'GetObject'], status: 403, code: 'AccessDenied' }
      for (const fault of [lost, unseen]) server.faults.add({ key: 'unseen', ...fault })
      const { status, last } = await route.copy(key, 'unseen')
      expect({ status, code: last.code }).toEqual({ status: 1, code: 'OUTCOME_UNKNOWN' })
      expect(last.message).toMatch(/^It is not known whether .*: an answer was lost, and it cannot be looked at\.$/)
      server.faults.clear()
      expect((await get(route.to, 'unseen')).equals(BODIES[key])).toBe(true)
    },
  )
})
