'use strict'

const { compareReports, ratioOfPairs, ratioOfSamples } = require('../../../lib/probe')

const spread = centre => Array.from({ length: 41 }, (_, i) => centre * (1 + (i - 20) / 100))

test.each([
  ['pairs', ratioOfPairs(spread(2)), ratioOfPairs(spread(1))],
  ['samples', ratioOfSamples(spread(20), spread(10)), ratioOfSamples(spread(20), spread(20))],
])('an interval of %s holds the ratio; where nothing differs it has 1 in it', (_, twice, same) => {
  expect(twice.ratio).toBeCloseTo(2)
  expect(twice.low).toBeGreaterThan(1.7)
  expect(twice.high).toBeLessThan(2.3)
  expect(same.low).toBeLessThanOrEqual(1)
  expect(same.high).toBeGreaterThanOrEqual(1)
})

test('reports are compared in what both have measured', () => {
  const curve = (bytes, lanes, ms) => ({ bytes, steps: [{ lanes, times: { ms } }] })
  const place = (gets, puts) => ({ location: 's3://bkt/', times: { head: { ms: [1] } }, gets, puts })
  const before = { places: [place([curve(1e5, 1, [4, 4])], [curve(1e5, 1, [4])])] }
  const after = { places: [place([curve(1e5, 1, [2, 2])], [curve(1e5, 2, [4])]), place([], [])] }
  expect(compareReports(before, after)).toEqual([
    { location: 's3://bkt/', op: 'head', lanes: 1, ratio: 1, low: 1, high: 1 },
    { location: 's3://bkt/', op: 'get', bytes: 1e5, lanes: 1, ratio: 2, low: 2, high: 2 },
  ])
})
