'use strict'

/** When a source that sends something is too slow: by the clock of the test. */

const { Attempt } = require('../../actions/copy-range/attempt')

const STALL_MS = 10_000

let nowMs
beforeEach(() => {
  nowMs = 0
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs)
})
afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

test.each([
  ['that is slow and steady goes on', [2_000, 12_000, 12_000, 12_000], undefined],
  ['that trickles after its first byte has stalled', [1, 1, 1, 1], 'STALLED'],
  ['that was fast, and trickles now, has stalled', [5_000_000, 5_000_000, 1, 1, 1], 'STALLED'],
  ['that trickles no longer than it may goes on', [5_000_000, 1, 5_000_000, 1], undefined],
])('a source %s', (_, pieces, code) => {
  const attempt = new Attempt({ stallMs: STALL_MS, fresh: true, reach: {} })
  attempt.watch('read', STALL_MS)
  for (const bytes of pieces) {
    nowMs += 0.6 * STALL_MS
    attempt.received(bytes)
  }
  attempt.rest()
  expect(attempt.failure?.code).toBe(code)
})

test('what is waited for now has its own time, though something else was waited for until now', () => {
  jest.useFakeTimers()
  const attempt = new Attempt({ stallMs: STALL_MS, fresh: true, reach: {} })
  attempt.watch('read', 100)
  attempt.watch('write', 400)
  jest.advanceTimersByTime(399)
  expect(attempt.failure).toBeUndefined()
  jest.advanceTimersByTime(1)
  expect(attempt.failure).toMatchObject({ code: 'STALLED', facts: { side: 'write' } })
})

test('a destination that takes bytes, however slowly, has not stalled; one that takes none has', () => {
  jest.useFakeTimers()
  const attempt = new Attempt({ stallMs: STALL_MS, fresh: true, reach: {} })
  let unsent = 1_000_000
  attempt.writer = { unsent: () => unsent }
  attempt.watch('write', 100)
  while (unsent-- > 999_995) jest.advanceTimersByTime(100)
  attempt.moved('write')
  jest.advanceTimersByTime(199)
  expect(attempt.failure).toBeUndefined()
  jest.advanceTimersByTime(1)
  expect(attempt.failure).toMatchObject({ code: 'STALLED' })
})

test('a limit beyond that of a timer is for ever, and not for a millisecond', () => {
  jest.useFakeTimers()
  const attempt = new Attempt({ stallMs: 1e12, fresh: true, reach: {} })
  attempt.watch('read', 1e12)
  jest.advanceTimersByTime(1_000_000)
  expect(attempt.failure).toBeUndefined()
})
