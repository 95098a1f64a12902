'use strict'

const { skewOf } = require('../../../../lib/engines/openwhisk/skew')

const NOW = Date.UTC(2025, 5, 1, 12, 0, 10, 300)

/** An answer of a platform whose clock is before ours, with whole seconds, as a `Date` has them. */
const answer = (skewMs, { atMs = NOW, roundTripMs = 40 } = {}) => ({
  date: new Date(atMs + skewMs).toUTCString(),
  sentMs: atMs - roundTripMs / 2,
  receivedMs: atMs + roundTripMs / 2,
})

test('without an answer, or a date in it, the clocks count as equal', () => {
  expect(skewOf([])).toBe(0)
  expect(skewOf([{ date: undefined, sentMs: 1, receivedMs: 2 }])).toBe(0)
  expect(skewOf([{ date: 'yesterday', sentMs: 1, receivedMs: 2 }])).toBe(0)
})

test.each([0, 400, -400, 450, -450])('%i ms is no more than what whole seconds leave in doubt', skewMs => {
  for (let ms = 0; ms < 1000; ms += 50) {
    expect(skewOf([answer(skewMs, { atMs: NOW + ms })])).toBe(0)
  }
})

test.each([2_000, -2_000, 5_250, -61_700, 3_600_000])('%i ms are found, to half a second and the way', skewMs => {
  for (let ms = 0; ms < 1000; ms += 50) {
    const found = skewOf([answer(skewMs, { atMs: NOW + ms })])
    expect(Math.abs(found - skewMs)).toBeLessThanOrEqual(520)
  }
})

test('several answers narrow it down', () => {
  const answers = [0, 130, 270, 480, 620, 810, 950].map(ms => answer(5_250, { atMs: NOW + ms }))
  expect(Math.abs(skewOf(answers) - 5_250)).toBeLessThanOrEqual(120)
})

test('a clock that was set in between is the later answer’s', () => {
  const found = skewOf([answer(90_000), answer(5_000, { atMs: NOW + 1_000 })])
  expect(Math.abs(found - 5_000)).toBeLessThanOrEqual(520)
})
