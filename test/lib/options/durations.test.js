'use strict'

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
  [1500, 1500],
])('%j is %i ms', (value, ms) => {
  expect(parseDuration(value, '--timeout')).toBe(ms)
})

test.each(['', 'h', '1 hour', '1h30m', '-1s', '1e3s', '0s', '0.0001s', '10001d', '∞', 'NaN', 0, -1, Number.NaN, null])(
  '%j is refused',
  value => {
    expect(() => parseDuration(value, '--timeout')).toThrow(
      expect.objectContaining({ code: 'USAGE', message: `--timeout "${value}" is not a duration.` }),
    )
  },
)

test('a number without a unit is refused, because tools disagree on its meaning', () => {
  expect(() => parseDuration('30', '--older-than')).toThrow(
    expect.objectContaining({
      code: 'USAGE',
      message: '--older-than "30" lacks a unit.',
      hint: 'Say which one you mean: 30s, 30m, 30h or 30d.',
    }),
  )
})
