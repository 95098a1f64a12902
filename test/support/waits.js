'use strict'

/** The waits of the code under test take no time, and are told. Loaded before that code. */

/** Milliseconds of each wait of this test. @type {number[]} */
const mockWaits = []

jest.mock('node:timers/promises', () => ({
  ...jest.requireActual('node:timers/promises'),
  async setTimeout(ms, _, { signal } = {}) {
    mockWaits.push(ms)
    signal?.throwIfAborted()
  },
}))

beforeEach(() => {
  mockWaits.length = 0
})

module.exports = { waited: mockWaits }
