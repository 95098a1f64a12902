'use strict'

const { PassThrough, Readable } = require('node:stream')
const fc = require('fast-check')
const { createHash } = require('node:crypto')
const { createArena, createExpectation, createHold } = require('../../../lib/stream/hold')
const { createPartSizes, createCutter, scheduleComing } = require('../../../lib/stream/cut')
const { UNLIMITED } = require('../../../lib/engines')
const { XferError } = require('../../../lib/errors')
const { createOutages, createPressure } = require('../../../lib/schedule')
const { createVirtualClock } = require('../../../bench/simulation/clock')
const { planProof } = require('../../../lib/stream/download')
const { countRanges, rangesOf, chosenOf, parseRange, sizeRanges } = require('../../../lib/stream/read')

const MiB = 1024 ** 2

/** The memory for parts: no two ranges overlap, and what is given back can be taken again. */

it('gives ranges that do not overlap, until none is left, and the same memory again', () => {
  const steps = fc.array(fc.record({ take: fc.integer({ min: 1, max: 400 }), give: fc.nat() }), { maxLength: 200 })
  fc.assert(
    fc.property(steps, moves => {
      const arena = createArena(1000)
      const taken = []
      for (const { take, give } of moves) {
        const range = arena.take(take)
        if (range) taken.push(range)
        else if (taken.length > 0) arena.give(taken.splice(give % taken.length, 1)[0])
        const inOrder = taken.toSorted((one, other) => one.start - other.start)
        for (const [i, { start, bytes }] of inOrder.entries()) {
          const isRight = start >= (i === 0 ? 0 : inOrder[i - 1].start + inOrder[i - 1].bytes) && start + bytes <= 1000
          if (!isRight) throw new Error(`Two ranges overlap, or one is outside, at ${start}.`)
        }
      }
      for (const range of taken) arena.give(range)
      expect(arena.take(1000)).toEqual({ start: 0, bytes: 1000 })
    }),
  )
})

describe('the sizes of parts', () => {
  /** The sizes of the parts of a stream of so many bytes. */
  function cut({ bytesOf, maxParts }, bytes) {
    const parts = []
    for (let start = 0; start < bytes && parts.length < maxParts; start += parts.at(-1)) {
      parts.push(bytesOf(parts.length + 1, start))
    }
    return parts
  }

  it.each([
    ['the part that is asked for', { chunkBytes: 17 * MiB }],
    ['the parts that so much needs', { sizeBytes: 2_000 * MiB }],
  ])('refuses what the memory cannot hold: %s', (_, how) => {
    const limits = { minBytes: 5 * MiB, maxBytes: 5_000 * MiB, maxParts: 100, equalParts: false }
    const sizes = () => createPartSizes({ limits, memoryBytes: 32 * MiB, ...how })
    expect(sizes).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })

  it('keeps within the limits of every store', () => {
    const cases = fc.record({
      minMib: fc.integer({ min: 1, max: 8 }),
      maxMib: fc.integer({ min: 100, max: 6000 }),
      maxParts: fc.integer({ min: 10, max: 2_000 }),
      equalParts: fc.boolean(),
      memoryMib: fc.integer({ min: 32, max: 512 }),
      chunkMib: fc.option(fc.integer({ min: 1, max: 16 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(cases, ({ minMib, maxMib, maxParts, equalParts, memoryMib, chunkMib }) => {
        const limits = { minBytes: minMib * MiB, maxBytes: maxMib * MiB, maxParts, equalParts }
        const chunkBytes = chunkMib && chunkMib * MiB
        const sizes = createPartSizes({ limits, memoryBytes: memoryMib * MiB, chunkBytes })
        const parts = cut(sizes, sizes.most)
        expect(parts.length).toBe(maxParts)
        expect(parts.reduce((sum, bytes) => sum + bytes, 0)).toBe(sizes.most)
        expect(Math.min(...parts)).toBeGreaterThanOrEqual(limits.minBytes)
        expect(Math.max(...parts)).toBeLessThanOrEqual(Math.min(limits.maxBytes, (memoryMib / 2) * MiB))
      }),
      { numRuns: 100 },
    )
  })
})

describe('parts that come', () => {
  /** Parts that are scheduled while they come: when the memory of a part is used again, and what cannot be sent again. */

  const PART = 10
  const HELD = 8

  /** @param {object} [how] of the scheduler */
  /** @type {Array<ReturnType<typeof createHold>>} */
  const holds = []
  afterEach(async () => {
    for (const hold of holds.splice(0)) await hold.close()
  })

  function open({ partBytes = PART, input = new PassThrough(), ...how } = {}) {
    const hold = createHold(HELD * PART)
    holds.push(hold)
    const cutter = createCutter(input, {
      sizes: { bytesOf: () => PART, first: PART, maxParts: 100, most: 100 * PART },
      hold,
      expectation: { update() {}, judge() {} },
    })
    const clock = createVirtualClock()
    const send = come =>
      scheduleComing(cutter, { partBytes })(come, {
        sign: async part => ({ ...part, at: cutter.find(endOf(part)).range.start }),
        explain: ({ code }) => new XferError(code === 'CANCELLED' ? 'INTERRUPTED' : 'INTEGRITY', { reason: 'so' }),
        run: async tasks => tasks.map(done),
        limits: UNLIMITED,
        concurrency: 16,
        retries: 0,
        hedge: true,
        emit() {},
        clock,
        pressure: createPressure({ outages: createOutages({ timeoutMs: 0, emit() {}, clock }), random: () => 0.5 }),
        ...how,
      })
    return { input, cutter, clock, send, hold }
  }

  const endOf = ({ start, bytes }) => ({ start, end: start + bytes - 1 })
  const done = ({ partNumber, bytes }) => ({ partNumber, bytes, etag: `"${partNumber}"`, sums: {}, timing: {} })

  it('reads no more than it may hold, until the destination has a part', async () => {
    const { input, cutter } = open()
    input.write(Buffer.alloc((HELD + 2) * PART))
    const parts = []
    for (let held = 0; held < HELD; held++) parts.push(await cutter.next())
    const more = jest.fn(part => part)
    const next = cutter.next().then(more)
    await new Promise(setImmediate)
    expect([more.mock.calls.length, cutter.bytes()]).toEqual([0, HELD * PART])
    await cutter.release(parts[3])
    expect(await next).toMatchObject({ partNumber: HELD + 1, bytes: PART })
  })

  it('takes the bytes that a piece shows, and none of the memory around them', async () => {
    const { buffer } = new TextEncoder().encode('[bytes]')
    const { cutter, hold } = open({ input: Readable.from([new Uint8Array(buffer, 1, 5)]) })
    const part = await cutter.next()
    const { start } = cutter.find(endOf(part)).range
    expect(Buffer.from(hold.memory, start, part.bytes).toString()).toBe('bytes')
  })

  it('keeps the memory of a part as long as a second attempt may read it', async () => {
    /** Of each attempt: which part, and where its bytes are. */
    const sent = []
    let letGo
    const late = new Promise(resolve => {
      letGo = resolve
    })
    const { input, cutter, clock, send } = open({
      async run([task], { signal }) {
        sent.push(task)
        const attempts = sent.filter(({ partNumber }) => partNumber === task.partNumber).length
        if (task.partNumber !== 3 || attempts > 1) return [done(task)]
        // It goes on for a while after it was told to end.
        await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
        await late
        return [{ partNumber: 3, error: { code: 'CANCELLED', message: 'It was cancelled.' } }]
      },
    })
    const parts = send([])
    input.write(Buffer.alloc(HELD * PART))
    // Nothing more comes, and part 3 is late: it is sent a second time, which succeeds.
    const twice = () => sent.filter(({ partNumber }) => partNumber === 3).length === 2
    while (!twice()) await clock.run(clock.delay(1_000))
    const [{ at }] = sent.filter(({ partNumber }) => partNumber === 3)
    const others = sent.length
    input.write(Buffer.alloc(2 * HELD * PART))
    while (cutter.parts.length < 3 * HELD) await new Promise(setImmediate)
    expect(sent.slice(others).filter(task => task.at === at)).toEqual([])
    letGo()
    input.end(Buffer.alloc(HELD * PART))
    expect((await parts).map(({ partNumber }) => partNumber)).toEqual(Array.from({ length: 4 * HELD }, (_, i) => i + 1))
    expect(sent.slice(others).filter(task => task.at === at).length).toBeGreaterThan(0)
  })

  it.each([
    ['no more than may be sent at once', { concurrency: 3 }, 3],
    ['one ahead of those that are sent', { concurrency: 16, startWith: 2 }, 3],
  ])('reads %s', async (_, limits, held) => {
    /** Ends the parts that are sent. @type {Array<() => void>} */
    const under = []
    const { input, cutter, send } = open({
      ...limits,
      partBytes: 64 * 1024 ** 2,
      run: ([task]) => new Promise(resolve => under.push(() => resolve([done(task)]))),
    })
    const parts = send([])
    input.end(Buffer.alloc(HELD * PART))
    /** @param {number} count */
    const come = async count => {
      while (cutter.parts.length < count) await new Promise(setImmediate)
      for (let turns = 0; turns < 50; turns++) await new Promise(setImmediate)
      return cutter.parts.length
    }
    expect(await come(held)).toBe(held)
    under.shift()?.()
    expect(await come(held + 1)).toBe(held + 1)
    while (cutter.parts.length < HELD || under.length > 0) {
      under.shift()?.()
      await new Promise(setImmediate)
    }
    expect(await parts).toHaveLength(HELD)
  })

  it('cannot send again what the destination has, and says so', async () => {
    const { input, send } = open()
    input.end(Buffer.alloc(3 * PART))
    const parts = await send([])
    expect(parts).toHaveLength(3)
    const [, second] = parts.map(({ partNumber }) => ({ partNumber, start: (partNumber - 1) * PART, bytes: PART }))
    await expect(send([second])).rejects.toMatchObject({ code: 'STREAM_PASSED', exitCode: 8, facts: { partNumber: 2 } })
  })

  it('ends with the first failure, and starts nothing more', async () => {
    let sent = 0
    const { input, send } = open({
      async run([task]) {
        sent++
        return [{ partNumber: task.partNumber, error: { code: 'HTTP_STATUS', message: 'It refused.' } }]
      },
    })
    const parts = send([])
    // The first part is sent once it is known that it is not the only one.
    input.write(Buffer.alloc(PART + 1))
    await expect(parts).rejects.toMatchObject({ code: 'INTEGRITY' })
    const before = sent
    input.end(Buffer.alloc(5 * PART))
    await new Promise(setImmediate)
    expect(sent).toBe(before)
  })

  it('takes no more parts than there may be', async () => {
    const { input, send } = open()
    input.end(Buffer.alloc(101 * PART))
    await expect(send([])).rejects.toMatchObject({ code: 'TOO_LARGE', facts: { most: 100 * PART } })
  })
})

describe('a download', () => {
  it('ranges follow one another without a gap, end at the borders of parts, and are as many as was counted', () => {
    const cuts = fc.record({
      start: fc.constant(0),
      bytes: fc.nat(500),
      rangeBytes: fc.integer({ min: 1, max: 60 }),
      partBytes: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(cuts, cut => {
        const ranges = [...rangesOf(cut)]
        expect(ranges).toHaveLength(countRanges(cut))
        let at = 0
        for (const [i, { partNumber, start, bytes }] of ranges.entries()) {
          expect({ partNumber, start }).toEqual({ partNumber: i + 1, start: at })
          expect(bytes).toBeLessThanOrEqual(cut.rangeBytes)
          if (cut.partBytes)
            expect(Math.floor((at + Math.max(bytes, 1) - 1) / cut.partBytes)).toBe(Math.floor(at / cut.partBytes))
          at += bytes
        }
        expect(at).toBe(cut.bytes)
      }),
    )
  })

  test.each([
    ['nobody chose anything', { memoryBytes: 512 }, [8, 16]],
    ['parts are small enough to be read whole', { memoryBytes: 512, partBytes: 16 }, [16, 16]],
    ['parts are too large for that', { memoryBytes: 512, partBytes: 17 }, [8, 16]],
    ['a part is smaller than what was chosen', { memoryBytes: 512, chunkBytes: 20, partBytes: 5 }, [5, 16]],
    ['the memory holds two', { memoryBytes: 30, chunkBytes: 20 }, [15, 2]],
    ['the concurrency was chosen', { memoryBytes: 512, concurrency: 3 }, [8, 4]],
    ['the memory is less than that', { memoryBytes: 32, concurrency: 16 }, [8, 4]],
  ])('the ranges and how many are ahead, in MiB, where %s', (_, { concurrency, ...MiBs }, [range, ahead]) => {
    const wish = Object.fromEntries(Object.entries(MiBs).map(([name, mib]) => [name, mib * MiB]))
    expect(sizeRanges({ ...wish, concurrency })).toEqual({ rangeBytes: range * MiB, ahead })
  })

  describe('--range', () => {
    it.each([
      ['0-9', { start: 0, bytes: 10 }],
      ['90-', { start: 90, bytes: 10 }],
      ['-30', { start: 70, bytes: 30 }],
    ])('%s of 100 bytes', (text, chosen) => expect(chosenOf(parseRange(text), 100)).toEqual(chosen))

    it.each(['', '-', '9-8', '0-9,20-29', '99999999999999999999-'])('"%s" is refused', text => {
      expect(() => parseRange(text)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    })

    it.each(['100-', '-0'])('%s is outside of 100 bytes', text => {
      expect(() => chosenOf(parseRange(text), 100)).toThrow(expect.objectContaining({ code: 'USAGE', exitCode: 2 }))
    })
  })

  const object = { bytes: 15, etag: '"e"' }
  const md5 = '0cc175b9c0f1b6a831c399e269772661'
  const layout = { bytes: 5, parts: 3 }
  const NO_MORE = { sums: ['crc32'], md5: false }
  it.each([
    ['a CRC and an MD5', { sums: { crc32c: '0', md5 } }, layout, { sums: ['crc32c'], md5: false }],
    ['an ETag of an encrypted object', { etag: `"${md5}"`, encrypted: true }, undefined, NO_MORE],
    ['no composite CRC-32 of parts that nobody tells', { composite: { crc32: '0' } }, undefined, NO_MORE],
    ['no ETag of another number of parts', { etag: `"${md5}-2"` }, layout, NO_MORE],
  ])('the proof uses %s', (_, kept, told, plan) => expect(planProof({ ...object, ...kept }, told)).toEqual(plan))
})

test('streams that wait for memory get it in their order; who gives up lets the others pass', async () => {
  const [one, other] = [createHold(100), createHold(100)]
  const first = await one.take(80)
  const controller = new AbortController()
  const order = []
  const gone = other.take(60, controller.signal)
  const tell = name => range => order.push(name) && range
  const second = other.take(20).then(tell('second'))
  const third = one.take(50).then(tell('third'))
  controller.abort(new Error('no more'))
  await expect(gone).rejects.toThrow()
  other.give(await second)
  expect(order).toEqual(['second'])
  one.give(first)
  one.give(await third)
  expect(() => one.give(first)).toThrow('twice')
  one.give(await one.take(100))
  await Promise.all([one.close(), other.close()])
})

test('a part that waits for memory as its stream is given up takes none', async () => {
  const hold = createHold(8)
  const sizes = { bytesOf: () => 8, first: 8, maxParts: 9, most: 72 }
  const how = { sizes, hold, range: await hold.take(8), expectation: createExpectation({}) }
  const cutter = createCutter(Readable.from([Buffer.alloc(99)]), how)
  await cutter.next()
  const waiting = cutter.next()
  await new Promise(setImmediate)
  cutter.close()
  expect(await waiting).toBeUndefined()
  hold.give(await hold.take(8))
  await hold.close()
})

const body = Buffer.from('123456789')
const sha256 = createHash('sha256').update(body).digest('hex')
test.each([
  ['what it is', { sha256: sha256.toUpperCase(), told: { bytes: 9, sums: { crc32: 'cbf43926' } } }, undefined],
  ['other bytes', { sha256: '0'.repeat(64) }, { what: 'SHA-256', found: sha256 }],
  ['longer', { told: { bytes: 10 } }, { what: 'size', found: 9 }],
  ['of another checksum', { told: { sums: { crc32: '00000000' } } }, { what: 'CRC-32', of: 'server' }],
])('a stream is expected to be %s, by its end', (_, expected, facts) => {
  const { update, judge } = createExpectation(expected)
  for (const byte of body) update(Buffer.of(byte))
  const refusal = { code: 'INPUT_DIFFERS', facts: expect.objectContaining(facts ?? {}) }
  if (facts) expect(judge).toThrow(expect.objectContaining(refusal))
  else judge()
})

test('a stream is expected to be shorter, once there is too much', () => {
  const { update } = createExpectation({ told: { bytes: 9 } })
  update(body)
  expect(() => update(body.subarray(0, 1))).toThrow(expect.objectContaining({ code: 'INPUT_DIFFERS' }))
})
