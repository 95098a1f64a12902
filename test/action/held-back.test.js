'use strict'

/** How bytes go from a read to a write, step by step: the last piece is held back until the read has ended as it should. */

const { Attempt } = require('../../actions/copy-range/attempt')
const { outcomeOf, pump } = require('../../actions/copy-range/copy')
const { Failure } = require('../../actions/copy-range/failure')
const { release, takeSlab } = require('../../actions/copy-range/slab')
const { crc32Of } = require('./stores')

const TEN = Buffer.from('0123456789')

/** A read and a write that tell what is done to them, in order. */
function setUp({ bytes = TEN.length, accepts = () => true, answered = false, expect = {}, frame, ...how } = {}) {
  const told = []
  const attempt = new Attempt({ stallMs: 10_000, fresh: true, reach: {} })
  let read = {}
  let write = {}
  const source = {
    body: {
      start: listeners => {
        told.push('start')
        read = listeners
      },
      ...{ pause: () => told.push('pause'), resume: () => told.push('resume') },
    },
  }
  const sink = {
    listen: listeners => {
      write = listeners
    },
    write: piece => {
      told.push(piece.toString())
      return accepts(piece)
    },
    end: () => told.push('end'),
    answered: answered ? {} : undefined,
  }
  const work = { partNumber: 3, bytes, sums: ['crc32'], expect, frame }
  const pumped = pump(source, sink, work, attempt, how)
  const result = pumped.then(
    sums => sums ?? 'answered',
    ({ code, facts }) => ({ code, ...facts }),
  )
  return {
    ...{ told, attempt, result },
    data: (text, slab) => read.data(Buffer.from(text), slab),
    end: () => read.end(),
    drain: () => write.drain(),
    answer: () => write.answer(),
    isHeard: () => write.answer !== undefined,
  }
}

const SUMS = { crc32: crc32Of(TEN) }
const frame = () => ({ write: (sink, piece) => sink.write(piece), end: sums => `;${sums.crc32}` })
const wrongLength = found => ({ code: 'BODY_LENGTH', side: 'read', expected: 10, found })

test.each([
  ['in one piece', {}, ['0123456789'], ['start'], SUMS, ['0123456789']],
  ['in pieces', {}, ['0123', '456789'], ['start', '0123'], SUMS, ['456789']],
  ['with the checksum that was told', { expect: { sums: SUMS } }, ['0123456789'], ['start'], SUMS, ['0123456789']],
  ['with a frame', { frame }, ['0123456789'], ['start'], SUMS, ['0123456789', `;${SUMS.crc32}`]],
  ['that are too few', {}, ['0123'], ['start', '0123'], wrongLength(4), []],
  ['that are none', {}, [], ['start'], wrongLength(0), []],
  ['that are too many', {}, ['0123', '4567890'], ['start', '0123', 'pause'], wrongLength(11), []],
  ['of which more come after the last', {}, ['0123456789', '0', '1'], ['start', 'pause'], wrongLength(11), []],
  [
    ...['with another checksum', { expect: { sums: { crc32: '00000000' } } }, ['0123', '456789'], ['start', '0123']],
    { code: 'SUM_MISMATCH', side: 'read', sum: 'crc32', expected: '00000000', found: SUMS.crc32 },
    [],
  ],
])('bytes %s: the last go once the read has ended, if they were all', async (_, how, pieces, before, result, after) => {
  const rig = setUp(how)
  for (const piece of pieces) rig.data(piece)
  expect(rig.told).toEqual(before)
  rig.end()
  expect(await rig.result).toEqual(result)
  const stopped = before.includes('pause') ? [] : ['pause']
  expect(rig.told).toEqual([...before, ...after, ...stopped, ...(result === SUMS ? ['end'] : [])])
  expect(rig.isHeard()).toBe(false)
})

test('no bytes are a part, too', async () => {
  const rig = setUp({ bytes: 0 })
  rig.end()
  expect([await rig.result, rig.told]).toEqual([{ crc32: '00000000' }, ['start', 'pause', 'end']])
})

test('a write that is full holds the read up, until it has room', async () => {
  const rig = setUp({ accepts: () => false })
  rig.data('0123')
  expect(rig.told.splice(0)).toEqual(['start', '0123', 'pause'])
  rig.drain()
  expect(rig.told.splice(0)).toEqual(['resume'])
  rig.data('456789')
  rig.end()
  expect(await rig.result).toEqual(SUMS)
})

test.each([
  ['before anything was sent', { answered: true }, () => {}, []],
  ['meanwhile', {}, rig => rig.data('0123') ?? rig.answer(), ['start', '0123', 'pause']],
])('an answer %s ends the read, of which nothing more is written', async (_, how, act, told) => {
  const rig = setUp(how)
  act(rig)
  expect(await rig.result).toBe('answered')
  if (told.length > 0) rig.data('456789')
  expect(rig.told).toEqual(told)
})

test.each([
  ['of the first piece', 4, ['start', 'pause']],
  ['of the last one', 10, ['start', '0123', 'pause']],
  ['at the end', 10, ['start', '0123', 'pause']],
])('whoever hears %s may cancel: that is not written', async (when, at, expected) => {
  const heard = []
  const rig = setUp({
    onBytes: (partNumber, bytes) => {
      heard.push(`${partNumber} ${bytes}`)
      const last = when !== 'at the end' || heard.length === 3
      if (bytes === at && last) rig.attempt.fail(new Failure('CANCELLED'))
    },
  })
  rig.data('0123')
  rig.data('456789')
  rig.end()
  expect([await rig.result, rig.told]).toEqual([{ code: 'CANCELLED' }, expected])
  expect(heard).toEqual(['3 4', '3 10', '3 10'].slice(0, when === 'at the end' ? 3 : at === 4 ? 1 : 2))
})

describe('a rate', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())
  const paced = (ms, how = {}) => setUp({ pace: { take: bytes => (bytes === 4 ? ms : 0) }, ...how })

  test('holds the read up for so long, and nobody is stalled meanwhile', async () => {
    const rig = paced(50_000)
    rig.attempt.watch('read', 10_000)
    rig.data('0123')
    jest.advanceTimersByTime(49_999)
    expect(rig.told.splice(0)).toEqual(['start', '0123', 'pause'])
    jest.advanceTimersByTime(1)
    rig.data('456')
    expect(rig.told.splice(0)).toEqual(['resume', '456'])
    jest.advanceTimersByTime(10_000)
    expect(await rig.result).toEqual({ code: 'STALLED', side: 'read' })
  })

  test('holds up the end of the read, too', async () => {
    const rig = paced(50_000)
    rig.data('456789')
    rig.data('0123')
    rig.end()
    expect(rig.told.splice(0)).toEqual(['start', '456789', 'pause'])
    jest.advanceTimersByTime(50_000)
    expect(await rig.result).toMatchObject({ crc32: expect.any(String) })
    expect(rig.told).toEqual(['0123', 'pause', 'end'])
  })

  test('does not let a write go on that is full, nor the read before both are free', async () => {
    const rig = paced(5_000, { accepts: () => false })
    rig.data('0123')
    rig.told.splice(0)
    jest.advanceTimersByTime(5_000)
    expect(rig.told).toEqual([])
    jest.advanceTimersByTime(9_999)
    expect(rig.attempt.failure).toBeUndefined()
    jest.advanceTimersByTime(1)
    expect(await rig.result).toEqual({ code: 'STALLED', side: 'write' })
    const early = paced(5_000, { accepts: () => false })
    early.data('0123')
    early.drain()
    expect(early.told).not.toContain('resume')
    jest.advanceTimersByTime(5_000)
    expect(early.told).toContain('resume')
    early.attempt.fail(new Failure('CANCELLED'))
    expect(await early.result).toEqual({ code: 'CANCELLED' })
    expect(jest.getTimerCount()).toBe(0)
  })
})

test('the memory of what is held back is not used again before it is written, and then it is', async () => {
  const slab = takeSlab()
  const rig = setUp({ accepts: () => slab.users === 1 })
  rig.data(TEN, slab)
  // The connection goes on with another.
  release(slab)
  expect(slab.users).toBe(1)
  rig.end()
  expect(await rig.result).toEqual(SUMS)
  expect(takeSlab()).toBe(slab)
})

const stale = () => Object.assign(new Failure('CONNECTION_CUT', { side: 'read' }), { stale: true })
async function outcome(steps, { task = { partNumber: 7, bytes: 10 }, refuse } = {}) {
  const attempts = []
  const running = new Set()
  const found = await outcomeOf(task, { stallMs: 1000, reach: {}, refuse, running }, async (_, attempt) => {
    expect([...running]).toEqual([attempt])
    attempts.push(attempt)
    attempt.reads = attempts.length
    const step = steps[attempts.length - 1]
    if (step instanceof Error) throw step
    return step
  })
  expect([running.size, attempts.every(({ failure }) => failure !== undefined)]).toEqual([0, true])
  return [found, attempts.map(({ fresh }) => fresh)]
}
const copied = { etag: '"e"', sums: {}, firstByteMs: 0 }

test.each([
  ['is done', [copied], [false]],
  ['whose connection was dead is done on a new one', [stale(), copied], [false, true]],
])('a task that %s', async (_, steps, tried) => {
  const before = performance.now()
  const atMs = Date.now()
  const [found, fresh] = await outcome(
    steps.map(step => (step === copied ? { ...copied, firstByteMs: before + 70 } : step)),
  )
  expect(found).toEqual({ partNumber: 7, bytes: 10, etag: '"e"', sums: {}, timing: expect.any(Object) })
  expect(found.timing.startedAtMs).toBeGreaterThanOrEqual(atMs)
  expect(found.timing.firstByteMs).toBeGreaterThan(0)
  expect(found.timing.firstByteMs).toBeLessThanOrEqual(70)
  expect(found.timing.totalMs).toBeGreaterThanOrEqual(0)
  expect(found.timing.totalMs).toBeLessThan(5000)
  expect(fresh).toEqual(tried)
})

test.each([
  ['whose new connection dies as well', [stale(), stale()], {}, 'CONNECTION_CUT', 2, 7],
  ['that fails', [new Failure('CONNECTION_CUT', { side: 'read' })], {}, 'CONNECTION_CUT', 1, 7],
  ['with a defect', [new TypeError('x')], {}, 'INTERNAL', 1, 7],
  ['that was refused', [], { refuse: 'NOT_STARTED' }, 'NOT_STARTED', 0, 7],
  ['that is none', [], { task: null, refuse: 'CANCELLED' }, 'CANCELLED', 0, 0],
  ['without a number', [], { task: { partNumber: 1.5 }, refuse: 'CANCELLED' }, 'CANCELLED', 0, 0],
])('a task %s is an outcome', async (_, steps, how, code, reads, partNumber) => {
  const [found, fresh] = await outcome(steps, how)
  expect(found).toMatchObject({ partNumber, error: { code }, sent: { reads, writes: 0 } })
  expect(fresh).toHaveLength(reads)
})
