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

/** What can go wrong once the last byte is there: the copy is right all the same, or says so; nothing is hoped. */
describe('completion', () => {
  const BODIES = { large: bytesOf(10 * MiB + 1), small: bytesOf(1000) }

  /**
   * Stores by what they leave one to learn after a lost answer: one answers the same again, one has no such upload any
   * more, and of one nothing can be learned, for it keeps no checksums and its ETags are none.
   */
  const STORES = {
    remembers: {},
    forgets: { rememberCompletions: false },
    opaque: { serverName: '', rememberCompletions: false, checksums: false, md5Etags: false },
  }

  const COMPLETE = { operation: 'CompleteMultipartUpload' }
  const PUT = { operation: 'PutObject' }

  /** @type {Array<[what: string, fault: object]>} */
  const PASSING = [
    ['says 500 to it', { status: 500 }],
    ['says 500 to it, and has done it', { status: 500, afterWork: true }],
    ['cuts the connection within the request', { on: 'request', cutAfterBytes: 10 }],
    ['cuts the connection before the answer, and has done it', { loseAnswer: true }],
  ]

  /** Of completions alone: they are answered while they are at work. */
  const PASSING_IN_A_200 = [
    ['says 200 with an error', { errorInBody: true }],
    ['says 200 with a late success behind blanks', { blanks: 10, answerDelayMs: 200 }],
    ['cuts the answer in its middle', { cutAfterBytes: 150 }],
    ['stops the answer in its middle', { stall: 100 }],
  ]

  describe.each(Object.keys(STORES))('at the end of a copy a store that %s', kind => {
    let server
    let route
    beforeAll(async () => {
      server = await startStore(STORES[kind])
      route = await openRoute({ source: server })
      for (const [key, body] of Object.entries(BODIES)) await put(route.from, key, body)
    })
    afterEach(() => server.faults.clear())
    afterAll(async () => {
      route?.close()
      await server?.close()
    })

    /** Copies while faults strike. @param {{ key: string, target: string, faults: object[], flags?: string[] }} how */
    async function copyWith({ key, target, faults, flags }) {
      const struck = faults.map(fault => server.faults.add({ key: target, ...fault }))
      const run = await route.copy(key, target, flags, { env: { XFER_SILENCE_MS: '2000' } })
      for (const { hits } of struck) expect(hits).toBeGreaterThan(0)
      for (const fault of struck) fault.remove()
      return { ...run, code: run.last.code }
    }

    /** @param {string} key @param {string} target */
    async function expectCopied(key, target) {
      expect((await get(route.to, target)).equals(BODIES[key])).toBe(true)
    }

    /** Both at once: with a condition and without. */
    const twice = copy => Promise.all([copy([]), copy(['--no-clobber'])])

    if (kind !== 'opaque') {
      const completions = [...PASSING, ...PASSING_IN_A_200].map(([what, fault]) => [what, 'large', COMPLETE, fault])
      const puts = PASSING.map(([what, fault]) => [what, 'small', PUT, fault])
      const rows = kind === 'remembers' ? [...completions, ...puts] : completions
      it.each(rows)('%s: the %s object is copied', async (what, key, operation, fault) => {
        await twice(async condition => {
          const target = `${what} ${key}${condition}`
          const faults = [{ ...operation, ...fault, nth: 1 }]
          const { status, code, last } = await copyWith({ key, target, faults, flags: condition })
          expect({ status, code }).toEqual({ status: 0, code: undefined })
          expect(last.proof).toContain('store-crc32')
          expect(last.condition).toBe(condition.length > 0 ? 'atomic' : undefined)
          await expectCopied(key, target)
        })
      })
    }

    if (kind === 'forgets') {
      it.each([
        ['large', 'always says 500', { ...COMPLETE, status: 500, afterWork: true }],
        ['small', 'always cuts the connection', { ...PUT, loseAnswer: true }],
      ])('has done it at once (%s) and %s: the copy is found to be there', async (key, what, fault) => {
        await twice(async flags => {
          const target = `found ${key} ${what}${flags}`
          const { status, code, last } = await copyWith({ key, target, faults: [fault], flags })
          expect({ status, code }).toEqual({ status: 0, code: undefined })
          expect(last.proof).toContain('store-crc32')
          await expectCopied(key, target)
        })
      })

      it.each([
        ['large', COMPLETE, 'UploadPart'],
        ['small', PUT, 'PutObject'],
      ])(
        'keeps another byte than it got, and loses the answer (%s): --verify full reads that',
        async (key, end, operation) => {
          const target = `rotten ${key}`
          const faults = [
            { operation, on: 'stored', flipByteAt: 500 },
            { ...end, status: 500, afterWork: true, nth: 1 },
          ]
          const { status, last } = await copyWith({ key, target, faults, flags: ['--verify', 'full'] })
          expect({ status, last }).toMatchObject({ status: 8, last: { code: 'WRONG_COPY' } })
          expect(await keysOf(route.to, target)).toEqual([])
        },
      )

      it('never does it: the copy fails, leaves nothing, and what was there stays', async () => {
        await put(route.to, 'never, with another', Buffer.from('other'))
        const refused = { status: 500 }
        const ends = await Promise.all([
          copyWith({ key: 'large', target: 'never, large', faults: [{ ...COMPLETE, ...refused }] }),
          copyWith({ key: 'small', target: 'never, small', faults: [{ ...PUT, ...refused }] }),
          copyWith({ key: 'large', target: 'never, with another', faults: [{ ...COMPLETE, ...refused }] }),
        ])
        expect(ends.map(({ status, code }) => [status, code])).toEqual([
          [1, 'STORE_ERROR'],
          [1, 'PART_FAILED'],
          [1, 'STORE_ERROR'],
        ])
        expect(await keysOf(route.to, 'never')).toEqual(['never, with another'])
        expect((await get(route.to, 'never, with another')).toString()).toBe('other')
      })
    }

    if (kind === 'forgets') {
      it.each([
        ['a copy', 'small', 'there/small', []],
        ['a copy of a prefix', '', 'there/', ['-r', '--exclude', 'large']],
      ])(
        'never does it, where what %s would write is there already: by a look that is settled',
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
    }

    if (kind === 'forgets') {
      const unseen = { operation: ['HeadObject', 'GetObject'], status: 403, code: 'AccessDenied' }
      it.each([
        ['large', [{ ...COMPLETE, loseAnswer: true, nth: 1 }]],
        ['small', [{ ...PUT, loseAnswer: true }]],
      ])(
        'loses the answer to the %s object, and does not let it be looked at: it says what is not known',
        async (key, faults) => {
          const target = `unseen ${key}`
          const how = { key, target, faults: [...faults, unseen] }
          const { status, code, last } = await copyWith(how)
          expect({ status, code }).toEqual({ status: 1, code: 'OUTCOME_UNKNOWN' })
          expect(last.message).toMatch(/^It is not known whether .*: an answer was lost, and it cannot be looked at\.$/)
          await expectCopied(key, target)
        },
      )
    }

    if (kind === 'opaque') {
      it.each([
        ['large', { ...COMPLETE, loseAnswer: true, nth: 1 }],
        ['small', { ...PUT, status: 500, afterWork: true }],
      ])('loses the answer to the %s object: what is there is read back', async (key, fault) => {
        const target = `opaque ${key}`
        const { status, code, last } = await copyWith({ key, target, faults: [fault] })
        expect({ status, code }).toEqual({ status: 0, code: undefined })
        expect(last.proof).toContain('read-back')
        await expectCopied(key, target)
      })

      it('says 500 to a completion that it did not do, where another object of that size is: that one stays', async () => {
        const other = bytesOf(BODIES.large.length, 'other')
        await put(route.to, 'as large', other)
        const { status, code } = await copyWith({
          key: 'large',
          target: 'as large',
          faults: [{ ...COMPLETE, status: 500 }],
        })
        expect({ status, code }).toEqual({ status: 1, code: 'STORE_ERROR' })
        expect((await get(route.to, 'as large')).equals(other)).toBe(true)
      })
    }
  })
})
