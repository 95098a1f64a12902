'use strict'

const { compareRuns } = require('../../bench/guard/judge')

const runs = (...cpu) => cpu.map(cpuSeconds => ({ cpuSeconds, wallSeconds: 1, peakBytes: 1e8 }))
const cpuOf = (old, now) => compareRuns('work', { old, now }).find(({ figure }) => figure === 'CPU')

test('a commit beside an earlier one is worse if it costs over a tenth more in three quarters of the pairs', () => {
  expect(cpuOf(runs(1, 1, 1, 1, 1), runs(1.2, 1.2, 1.2, 1.2, 1.2))).toMatchObject({ ratio: 1.2, worse: true })
  expect(cpuOf(runs(1, 1, 1, 1, 1), runs(1.2, 1.3, 1.15, 1, 1.2))).toMatchObject({ worse: true })
})

test('a commit beside an earlier one is not if it does so by less, or in some pairs only', () => {
  expect(cpuOf(runs(1, 1, 1, 1, 1), runs(1.05, 1.09, 1.05, 1.05, 1.05)).worse).toBe(false)
  expect(cpuOf(runs(1, 1, 1, 1, 1), runs(2, 2, 2, 1, 1)).worse).toBe(false)
})
