'use strict'

const fc = require('fast-check')
const { main } = require('../../actions/copy-range')
const { S3, closed, httpStore, makeTask, partSink, rangeSource, rawStore, someBytes, outcomeOf } = require('./stores')
const { PACE_BYTES, createPace } = require('../../actions/copy-range/attempt')

afterEach(() => {
  delete process.env.__OW_DEADLINE
})

const LONG = 64 * 2 ** 20
const HEAD = `HTTP/1.1 206 Partial Content\r\nETag: "source-etag"\r\nContent-Range: bytes 0-${LONG - 1}/${LONG}\r\n\r\n`

const silent = () => rawStore(() => {})
const allClosed = ({ sockets }) => Promise.all([...sockets].map(closed))

describe('a connection that is silent for too long', () => {
  test.each([
    ['before the head of the read', 'read', silent, partSink],
    ['in the middle of the read', 'read', () => rawStore(socket => socket.write(`${HEAD}some`)), partSink],
    ['in the middle of the write', 'write', () => rangeSource(someBytes(LONG)), () => rawStore(s => s.pause())],
    ['after the write', 'write', () => rangeSource(someBytes(10)), silent],
  ])('%s: has stalled, and is closed', async (name, side, makeSource, makeSink) => {
    const [source, sink] = [await makeSource(), await makeSink()]
    const bytes = name.startsWith('after') ? 10 : LONG
    const { error } = await outcomeOf(makeTask(source, sink, { bytes }), { stallMs: 1_000 })
    expect(error).toMatchObject({ code: 'STALLED', side })
    // Of a read that has ended the connection is kept.
    await allClosed(name.startsWith('after') ? sink : source)
  })

  test('has not stalled while the store assembles the part for a while', async () => {
    const source = await rangeSource(someBytes(10))
    const sink = await httpStore((request, response) => {
      request.resume().on('end', () => setTimeout(() => response.writeHead(200, { etag: '"slow"' }).end(), 300))
    })
    expect(await outcomeOf(makeTask(source, sink, { bytes: 10 }), { stallMs: 150 })).toMatchObject({ etag: '"slow"' })
  })
})

test('the deadline of the invocation cuts a task off in time to tell of the others', async () => {
  const deadline = Date.now() + 2_300
  process.env.__OW_DEADLINE = String(deadline)
  const [source, stuck, sink] = [await rangeSource(someBytes(10)), await silent(), await partSink()]
  const tasks = [source, stuck, source].map((from, i) => makeTask(from, sink, { bytes: 10, partNumber: i + 1 }))
  const { outcomes } = await main({ ...S3, tasks })
  expect(Date.now()).toBeLessThan(deadline)
  expect(outcomes).toMatchObject([{ bytes: 10 }, { error: { code: 'STALLED' } }, { error: { code: 'NOT_STARTED' } }])
  await allClosed(stuck)
})

test('a signal ends the running tasks and their connections, and starts no other', async () => {
  const controller = new AbortController()
  const source = await rawStore(socket => socket.write(`${HEAD}${'some'.repeat(100)}`))
  const sink = await rawStore(() => controller.abort())
  const tasks = [1, 2].map(partNumber => makeTask(source, sink, { bytes: LONG, partNumber }))
  const { outcomes } = await main({ ...S3, tasks }, { signal: controller.signal })
  expect(outcomes).toMatchObject([{ error: { code: 'CANCELLED' } }, { error: { code: 'CANCELLED' } }])
  expect(source.connections).toBe(1)
  await Promise.all([allClosed(source), allClosed(sink)])
})

const MS = 1_000_000
const BURST_MS = 100
const PIECE = 65_536

/**
 * Takers on one clock of the test's: each takes a piece, waits as long as it is told, idles, and takes the next.
 *
 * @returns {Array<{ atMs: number, bytes: number }>} when pieces were due
 */
function play({ bytesPerSecond, takers }) {
  let nowMs = 0
  const memory = new SharedArrayBuffer(PACE_BYTES)
  const nowNs = () => BigInt(Math.round(nowMs * MS))
  const newPace = () => createPace({ bytesPerSecond, nowNs, memory })
  const active = takers.map(pieces => ({ pace: newPace(), pieces: [...pieces], readyMs: 0 }))
  const due = []
  for (;;) {
    const left = active.filter(({ pieces }) => pieces.length > 0)
    if (left.length === 0) return due
    const next = left.reduce((a, b) => (b.readyMs < a.readyMs ? b : a))
    nowMs = Math.max(nowMs, next.readyMs)
    const { bytes, idleMs } = next.pieces.shift()
    const atMs = nowMs + next.pace.take(bytes)
    due.push({ atMs, bytes })
    next.readyMs = atMs + idleMs
  }
}

function takersOf(most) {
  const piece = fc.record({ bytes: fc.integer({ min: 0, max: most }), idleMs: fc.constantFrom(0, 0, 0, 1, 20, 400) })
  return fc.array(fc.array(piece, { maxLength: 30 }), { minLength: 1, maxLength: 6 })
}

test('of a pace no window has more than its time and a burst, however many take', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 16_384, max: 2_000_000_000 }),
      fc.constantFrom(100, PIECE, 4 * PIECE).chain(takersOf),
      (bytesPerSecond, takers) => {
        const due = play({ bytesPerSecond, takers }).sort((a, b) => a.atMs - b.atMs)
        const largest = Math.max(0, ...due.map(({ bytes }) => bytes))
        // A millisecond, for waits are told in whole ones.
        const burst = Math.max((bytesPerSecond * BURST_MS) / 1000, PIECE, largest) + bytesPerSecond / 1000 + 1
        for (let first = 0; first < due.length; first++) {
          let sum = 0
          for (let last = first; last < due.length; last++) {
            sum += due[last].bytes
            const windowMs = due[last].atMs - due[first].atMs
            expect(sum).toBeLessThanOrEqual((bytesPerSecond * windowMs) / 1000 + burst)
          }
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('a rate holds for all tasks of an invocation together', async () => {
  const [RATE, BYTES] = [500_000, 300_000]
  /** What may be ahead of the rate: a piece as large as a socket gives, or a tenth of a second. */
  const AHEAD = 65_536
  const [source, sink] = [await rangeSource(someBytes(BYTES)), await partSink()]
  const tasks = [1, 2].map(partNumber => makeTask(source, sink, { bytes: BYTES, partNumber }))
  const startedMs = performance.now()
  const { outcomes } = await main({ ...S3, tasks, parallel: 2, bytesPerSecond: RATE / 4, stallMs: 250 })
  // A connection waits half a second between two pieces then, and does not count as stalled.
  expect(outcomes).toMatchObject([{ bytes: BYTES }, { bytes: BYTES }])
  expect(performance.now() - startedMs).toBeGreaterThan(4 * ((1000 * (2 * BYTES - AHEAD)) / RATE - 2))
})
