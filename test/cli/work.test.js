'use strict'

/** The exit status of `xfer work`, as docs/reference/exit-codes.md has it. */

jest.mock('../../lib', () => ({ EXIT: jest.requireActual('../../lib').EXIT, work: jest.fn() }))
const lib = require('../../lib')
const { work } = require('../../cli/commands/unfinished')

test.each([
  ['that was idle', {}, undefined],
  ['that others left without work', { left: 2 }, undefined],
  ['that left a job to the next one', { done: 1, unfinished: 1 }, 75],
  ['of which a job failed, too', { failed: 1, unfinished: 1 }, 1],
])('a worker %s has its status', async (_, counts, status) => {
  lib.work.mockResolvedValue({ done: 0, left: 0, failed: 0, unfinished: 0, ...counts })
  expect(await work.work({ process: { out: {}, env: {} }, options: {}, say: () => {} })).toBe(status)
})
