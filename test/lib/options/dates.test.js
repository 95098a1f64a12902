'use strict'

const { parseTime } = require('../../../lib/options/durations')

const NOW = Date.UTC(2026, 10, 21, 12)
const DAY_MS = 86_400_000

test.each([
  ['7d', NOW - 7 * DAY_MS],
  ['90m', NOW - 5_400_000],
  [' 1.5h ', NOW - 5_400_000],
  ['500ms', NOW - 500],
  ['1d12h', NOW - 1.5 * DAY_MS],
  ['2w', NOW - 14 * DAY_MS],
  ['2026-01-31', Date.UTC(2026, 0, 31)],
  [' 2026-01-31 ', Date.UTC(2026, 0, 31)],
  ['2026-01-31T10:00', Date.UTC(2026, 0, 31, 10)],
  ['2026-01-31 10:00:30', Date.UTC(2026, 0, 31, 10, 0, 30)],
  ['2026-01-31T10:00:30.25Z', Date.UTC(2026, 0, 31, 10, 0, 30, 250)],
  ['2026-01-31t10:00z', Date.UTC(2026, 0, 31, 10)],
  ['2026-01-31T10:00+02:00', Date.UTC(2026, 0, 31, 8)],
  ['2026-01-31T10:00:00-05:30', Date.UTC(2026, 0, 31, 15, 30)],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['2030-01-01', Date.UTC(2030, 0, 1)],
])('%j is %i', (value, ms) => {
  expect(parseTime(value, '--newer-than', NOW)).toBe(ms)
})

test.each([
  ...['', 'yesterday', '7 days', '-1d', '2026', '2026-1-1', '2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10'],
  ...[
    '2026-01-31T25:00',
    '2026-01-31T10',
    '2026-01-31T10:00 CET',
    '31.01.2026',
    '01/31/2026',
    '2026-01-31T10:00+0200x',
  ],
])('%j is refused', value => {
  const advice = 'Give an age with a unit, such as 90m, 24h or 7d, or a date, such as 2026-01-31 or 2026-01-31T10:00Z.'
  const message = `--newer-than "${value}" is neither an age nor a date.`
  expect(() => parseTime(value, '--newer-than', NOW)).toThrow(
    expect.objectContaining(value === '2026' ? { code: 'USAGE' } : { code: 'USAGE', message, hint: advice }),
  )
})

test('a number without a unit is asked for one', () => {
  for (const value of ['30', 30]) {
    expect(() => parseTime(value, '--older-than', NOW)).toThrow(
      expect.objectContaining({ message: '--older-than "30" lacks a unit.' }),
    )
  }
})
