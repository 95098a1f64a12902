'use strict'

const { parseEngineLimits } = require('../../../lib/options/engine-limits')

const MiB = 1024 ** 2

test.each([
  [
    'concurrent=30,per-minute=60,timeout=60,memory=256,payload=1',
    { concurrent: 30, perMinute: 60, timeoutMs: 60_000, memoryBytes: 256 * MiB, payloadBytes: MiB },
  ],
  ['timeout=9m,memory=1G,payload=1M', { timeoutMs: 540_000, memoryBytes: 1024 * MiB, payloadBytes: MiB }],
  ['memory=256MB', { memoryBytes: 256_000_000 }],
  ['concurrent=1000', { concurrent: 1000 }],
  [' per-minute = 600 , timeout= 540', { perMinute: 600, timeoutMs: 540_000 }],
])('"%s" is read', (text, expected) => {
  expect(parseEngineLimits(text)).toEqual(expected)
})

test.each([
  ['', 'has "", which is no limit that xfer knows'],
  [',', 'has "", which is no limit that xfer knows'],
  ['concurrent=30,', 'has "", which is no limit that xfer knows'],
  ['concurrent', 'gives concurrent no value'],
  ['30', 'has "30", which is no limit that xfer knows'],
  ['=30', 'has "", which is no limit that xfer knows'],
  ['Concurrent=30', 'has "Concurrent", which is no limit that xfer knows'],
  ['constructor=30', 'has "constructor", which is no limit that xfer knows'],
  ['per_minute=60', 'has "per_minute", which is no limit that xfer knows'],
  ['concurrent=30;per-minute=60', '--engine-limits concurrent "30;per-minute=60" is not a whole number'],
  ['concurrent=30,concurrent=40', 'names concurrent twice'],
  ['concurrent=', '--engine-limits concurrent "" is not a whole number from 1 to 100,000'],
  ['concurrent=0', 'is not a whole number'],
  ['concurrent=-1', 'is not a whole number'],
  ['concurrent=1.5', 'is not a whole number'],
  ['concurrent=Infinity', 'is not a whole number'],
  ['timeout=25h', '--engine-limits timeout "25h" is not a duration from 1s to 86,400s'],
  ['timeout=0', '--engine-limits timeout "0" is not a duration from 1s to 86,400s'],
  ['memory=256mb', '--engine-limits memory "256mb" is ambiguous'],
  ['payload=1025', '--engine-limits payload "1025" is not a size from '],
])('"%s" is a usage error', (text, says) => {
  let error
  try {
    parseEngineLimits(text)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toMatchObject({ code: 'USAGE', exitCode: 2 })
  expect(error.message).toContain(says)
  expect(error.hint).toMatch(/\.$/)
})
