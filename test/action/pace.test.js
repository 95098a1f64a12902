'use strict'

const { Worker } = require('node:worker_threads')
const fc = require('fast-check')
const { PACE_BYTES, createPace } = require('../../actions/copy-range/limits/pace')

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
  const active = takers.map(pieces => ({
    pace: createPace({ bytesPerSecond, nowNs, memory }),
    pieces: [...pieces],
    readyMs: 0,
  }))
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

const takersOf = most =>
  fc.array(
    fc.array(fc.record({ bytes: fc.integer({ min: 0, max: most }), idleMs: fc.constantFrom(0, 0, 0, 1, 20, 400) }), {
      maxLength: 30,
    }),
    { minLength: 1, maxLength: 6 },
  )

test('no window has more than its time and a burst, however many take', () => {
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

test('the rate is reached by those who always want more, however many they are', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100_000, max: 1_000_000_000 }),
      fc.integer({ min: 1, max: 16 }),
      fc.integer({ min: 1_000, max: PIECE }),
      (bytesPerSecond, count, bytes) => {
        const pieces = Array.from({ length: 200 }, () => ({ bytes, idleMs: 0 }))
        const due = play({ bytesPerSecond, takers: Array.from({ length: count }, () => pieces) })
        const lastMs = Math.max(...due.map(({ atMs }) => atMs))
        const idealMs = (1000 * 200 * count * bytes) / bytesPerSecond
        expect(lastMs).toBeLessThanOrEqual(idealMs + 1)
      },
    ),
    { numRuns: 100 },
  )
})

test('what was not used is not saved up', () => {
  const memory = new SharedArrayBuffer(PACE_BYTES)
  let nowMs = 0
  const pace = createPace({ bytesPerSecond: 1_000_000, nowNs: () => BigInt(nowMs * MS), memory })
  expect(pace.take(100_000)).toBe(0)
  nowMs = 3_600_000
  expect(pace.take(100_000)).toBe(0)
  expect(pace.take(100_000)).toBe(100)
  expect(pace.take(50_000)).toBe(150)
})

const TAKER = `
const { parentPort, workerData } = require('node:worker_threads')
const { createPace } = require(workerData.file)
const pace = createPace({ bytesPerSecond: 1000000, nowNs: () => 0n, memory: workerData.memory })
for (let i = 0; i < 50000; i++) pace.take(100)
parentPort.postMessage('done')
`

test('threads that take at the same time lose nothing', async () => {
  const memory = new SharedArrayBuffer(PACE_BYTES)
  const workerData = { file: require.resolve('../../actions/copy-range/limits/pace'), memory }
  const workers = Array.from({ length: 4 }, () => new Worker(TAKER, { eval: true, workerData }))
  await Promise.all(workers.map(worker => new Promise((done, fail) => worker.on('exit', done).on('error', fail))))
  // 4 times 50,000 times 100 bytes at a million a second.
  expect(new BigInt64Array(memory)[0]).toBe(20_000_000_000n)
}, 60_000)
