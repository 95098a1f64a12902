'use strict'

const { requestedWaitMs } = require('../../../lib/async')

test.each([
  [undefined, 0],
  [0, 0],
  [7_000, 7_000],
  [60_000, 60_000],
  [3_600_000, 60_000],
])('a server that asks for %p ms is given %i ms', (retryAfterMs, waitMs) => {
  expect(requestedWaitMs(retryAfterMs)).toBe(waitMs)
})
