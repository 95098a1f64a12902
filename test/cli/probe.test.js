'use strict'

jest.mock('../../lib', () => ({ probe: jest.fn() }))
const lib = require('../../lib')
const { work } = require('../../cli/commands/probe')

/** What it advises where requests at once were no faster than one. */
test.each([
  [1, 'xfer copy -r s3://a s3://b --engine local'],
  [8, 'xfer copy -r s3://a s3://b --engine local --concurrency 8'],
])('many small objects, of which %d at once were the fastest', async (lanes, command) => {
  const many = { bytes: 40_000, objectsPerSecond: 100, lanes, bottleneck: 'source' }
  lib.probe.mockResolvedValue({ places: [], many })
  const process = { print: jest.fn() }
  await work({ process, flags: { clean: true }, options: {} }, ['s3://a', 's3://b'])
  const [lines] = process.print.mock.calls[0]
  expect(lines[0]).toBe('Objects of 40 kB: 100 objects a second; what holds it: the source gives no more.')
  expect(lines[1]).toBe(`From this machine, many objects: ${command}`)
})
