'use strict'

jest.mock('../../lib', () => ({ probe: jest.fn() }))
const lib = require('../../lib')
const { work } = require('../../cli/commands/probe')

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
