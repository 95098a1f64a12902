'use strict'

jest.mock('../../lib', () => ({ probe: jest.fn() }))
const lib = require('../../lib')
const { work } = require('../../cli/commands/probe')
const { startStore } = require('../support/opened')
const { copyEnv } = require('../support/run-xfer')

// A copy finds out how many at once help: what the probe has had at once are no invocations.
test.each([1, 8])('many small objects, of which %d at once were the fastest', async lanes => {
  const many = { bytes: 40_000, objectsPerSecond: 100, lanes, bottleneck: 'source' }
  lib.probe.mockResolvedValue({ places: [], many })
  const process = { print: jest.fn() }
  await work({ process, flags: { clean: true }, options: {} }, ['s3://a', 's3://b'])
  const [lines] = process.print.mock.calls[0]
  expect(lines[0]).toBe('Objects of 40 kB: 100 objects a second; what holds it: the source gives no more.')
  expect(lines[1]).toBe('From this machine, many objects: xfer copy -r s3://a s3://b --engine local')
})

test('of one object that stays there is one, and what was never written stays nowhere', async () => {
  const write = jest.fn()
  lib.probe.mockImplementation(async (_, { onEvent }) => onEvent({ type: 'left', keys: ['a'] }) ?? { removed: ['b'] })
  const process = { err: { write }, print: write }
  await work({ process, flags: { clean: true }, options: {} }, ['s3://a'])
  const lines = [['Note: 1 object could not be deleted, such as a.\n'], [['Deleted 1 object of earlier probes.']]]
  expect(write.mock.calls).toEqual(lines)

  const server = await startStore({ buckets: [] })
  const told = []
  const options = { env: copyEnv(server, server), onEvent: ({ type }) => void told.push(type) }
  const found = jest.requireActual('../../lib').probe('s3://nobucket', options)
  await expect(found).rejects.toMatchObject({ code: 'NO_SUCH_BUCKET' })
  expect(told).toEqual(['plan'])
})
