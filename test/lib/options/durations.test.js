'use strict'

const fc = require('fast-check')
const { parseTime } = require('../../../lib/options/durations')
const { parseDuration } = require('../../../lib/options/durations')

test.each([
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['1.5h', 5_400_000],
  [' 2 H ', 7_200_000],
  ['0.001s', 1],
  ['10000d', 864_000_000_000],
  ['500ms', 500],
  ['500MS', 500],
  ['1h30m', 5_400_000],
  ['1h 30m', 5_400_000],
  ['2d12h', 216_000_000],
  ['1w', 604_800_000],
  ['1m0.5s', 60_500],
  ['1w2d3h4m5s6ms', 788_645_006],
])('%j is %i ms', (value, ms) => {
  expect(parseDuration(value, '--timeout')).toBe(ms)
})

test.each([
  '',
  'h',
  '1 hour',
  '1h30',
  '30m1h',
  '1m1m',
  '1:30',
  'PT1H',
  '1y',
  '1h-5m',
  '-1s',
  '1e3s',
  '∞',
  'NaN',
  -1,
  Number.NaN,
  null,
])('%j is refused', value => {
  expect(() => parseDuration(value, '--timeout')).toThrow(
    expect.objectContaining({ code: 'USAGE', message: `--timeout "${value}" is not a duration.` }),
  )
})

test.each([
  ['0s', 'is less than a millisecond'],
  ['0', 'is less than a millisecond'],
  ['0.0001s', 'is less than a millisecond'],
  ['10001d', 'is longer than 10,000 days'],
])('%s is refused with the reason', (value, says) => {
  expect(() => parseDuration(value, '--older-than')).toThrow(
    expect.objectContaining({ code: 'USAGE', message: `--older-than "${value}" ${says}.` }),
  )
})

test('for none at all a short one is proposed, which would be accepted', () => {
  const hint = 'Give a longer time, such as 1s, 30m, 1h30m or 7d.'
  for (const value of ['0', '0s', '0d']) {
    expect(() => parseDuration(value, '--older-than')).toThrow(expect.objectContaining({ hint }))
    expect(() => parseTime(value, '--newer-than', 0)).toThrow(expect.objectContaining({ hint }))
  }
  expect(parseDuration('1s', '--older-than')).toBe(1000)
})

test('a number without a unit is refused, because tools disagree on its meaning', () => {
  expect(() => parseDuration('30', '--older-than')).toThrow(
    expect.objectContaining({
      code: 'USAGE',
      message: '--older-than "30" lacks a unit.',
      hint: 'Say which one you mean: 30s, 30m, 30h or 30d.',
    }),
  )
})

test.each([
  ['30', 30_000],
  [30, 30_000],
  ['0.5', 500],
  ['30m', 1_800_000],
])('%j has the unit of its option, unless it has one', (value, ms) => {
  expect(parseDuration(value, '--timeout', { unit: 's' })).toBe(ms)
})

test('M may be minutes or months', () => {
  expect(() => parseDuration('30M', '--timeout')).toThrow(
    expect.objectContaining({
      message: '--timeout "30M" is ambiguous: M means minutes to some and months to others.',
      hint: 'Give 30m for minutes, or months in days, such as 30d.',
    }),
  )
})

test('a comma is refused as a separator', () => {
  expect(() => parseDuration('1,5h', '--timeout')).toThrow(
    expect.objectContaining({ message: '--timeout "1,5h" has a separator between its digits.' }),
  )
})

test('a duration outside the bounds of its option is refused', () => {
  const bounds = { unit: 's', leastMs: 1000, mostMs: 3_600_000 }
  expect(parseDuration('1h', '--outage-timeout', bounds)).toBe(3_600_000)
  for (const value of ['0', '3601', '999ms', '2h']) {
    expect(() => parseDuration(value, '--outage-timeout', bounds)).toThrow(
      expect.objectContaining({ message: `--outage-timeout "${value}" is not a duration from 1s to 3,600s.` }),
    )
  }
})

test('the pieces of a duration add up', () => {
  const ms = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }
  const pieces = fc.record(Object.fromEntries(Object.keys(ms).map(unit => [unit, fc.integer({ min: 1, max: 99 })])), {
    requiredKeys: [],
  })
  fc.assert(
    fc.property(pieces, fc.constantFrom('', ' '), (given, blank) => {
      const units = Object.keys(ms).filter(unit => given[unit] !== undefined)
      fc.pre(units.length > 0)
      const total = units.reduce((sum, unit) => sum + given[unit] * ms[unit], 0)
      expect(parseDuration(units.map(unit => `${given[unit]}${unit}`).join(blank), '--timeout')).toBe(total)
    }),
  )
})
