'use strict'

const { splitNames } = require('../../../lib/many')
const { compareNames } = require('../../../lib/listing')
const { listStore } = require('../listing/stores')

test.each([
  ['as many ranges as are wanted', 45, 3, 3],
  ['a rest', 50, 7, 7],
  ['no more ranges than names', 2, 5, 2],
  ['one range for few names, if nobody says', 45, 'auto', 1],
  ['more names than are remembered', 50_000, 7, 7],
])('names are in ranges of about as many each: %s', async (_, count, wanted, expected) => {
  const names = Array.from({ length: count }, (_, i) => `${(i * 7919) % 1013}/${i}`).sort(compareNames)
  const keys = [...names.map(name => `p/${name}`), 'q/other']
  const source = { ...listStore(keys), key: 'p/' }
  const job = /** @type {any} */ ({ source, run: { cancel: new AbortController().signal } })
  const { names: found, ranges } = await splitNames(job, { skips: undefined }, wanted)
  expect([found, ranges.length]).toEqual([count, expected])
  // None is in two ranges, or in none.
  const [begins, ends] = ['after', 'until'].map(name => ranges.map(range => range[name]))
  expect([begins[0], ...ends]).toEqual([...begins, undefined])
  const bounds = [0, ...ranges.map(({ until }) => (until === undefined ? count : names.indexOf(until) + 1))]
  const slack = 1 + count / 5_000
  for (const i of ranges.keys()) {
    expect(Math.abs(bounds[i + 1] - bounds[i] - count / expected)).toBeLessThanOrEqual(slack)
  }
})
