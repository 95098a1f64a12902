'use strict'

/** Sizes, rates and durations in journals, of this version and of those before units had one grammar. */

const fc = require('fast-check')
const { OPTIONS, optionsToKeep, readKeptUnits, readerOf } = require('../../../lib/options')
const { valueToKeep } = require('../../../lib/options/kept-units')

const MiB = 1024 ** 2
/** @param {string} name */
const specOf = name => OPTIONS.find(spec => spec.name === name && !spec.sides)

test.each([
  ['chunk', '8MB', 8 * MiB],
  ['chunk', ' 8 mb ', 8 * MiB],
  ['chunk', '1.5gib', 1536 * MiB],
  ['chunk', '8M', 8 * MiB],
  ['chunk', '100', 100 * MiB],
  ['chunk', 100, 100 * MiB],
  ['chunk', '5242881b', 5 * MiB + 1],
  ['chunk', 'match', 'match'],
  ['bandwidth', '10MB/s', 10 * MiB],
  ['bandwidth', ' 10 Mb/S ', 10 * MiB],
  ['bandwidth', 'none', undefined],
  ['ioTimeout', '7', 7000],
  ['ioTimeout', 7, 7000],
  ['outageTimeout', '2 H', 7_200_000],
  ['outageTimeout', '30M', 1_800_000],
  ['outageTimeout', 1500, 1500],
])('the value of %s that an earlier version kept as %j means %p, as it did', (name, kept, value) => {
  expect(readerOf('copy', readKeptUnits({ [name]: kept }))(name)).toBe(value)
})

test('the selection of an earlier version means what it did', () => {
  const { select } = readKeptUnits({ recursive: 'copy', select: { minSize: '8MB', newerThan: 1000, olderThan: '7D' } })
  expect(select).toEqual({ minSize: '8M', newerThan: '1000ms', olderThan: '7d' })
})

test('a value that is kept now means the same when it is read', () => {
  const number = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0.1, max: 500, noNaN: true }))
  const cases = fc.oneof(
    fc.tuple(fc.constant('chunk'), number, fc.constantFrom('', 'M', 'm', 'GiB', 'kB', 'MB', 'mB', 'GB', ' MB', 'Ki')),
    fc.tuple(fc.constant('minSize'), number, fc.constantFrom('', 'K', 'MB', 'TB')),
    fc.tuple(fc.constant('bandwidth'), number, fc.constantFrom('M', 'MB', 'MB/s', ' GB /s', 'Mi/s')),
    fc.tuple(fc.constant('outageTimeout'), number, fc.constantFrom('', 's', 'm', 'H', 'd')),
    fc.tuple(fc.constant('ioTimeout'), fc.integer({ min: 1, max: 3600 }), fc.constantFrom('', 's', 'S')),
  )
  fc.assert(
    fc.property(cases, fc.boolean(), ([name, amount, unit], asNumber) => {
      const value = unit === '' && asNumber ? amount : `${amount.toFixed(3)}${unit}`
      const command = name === 'minSize' ? 'sync' : 'copy'
      const kept = JSON.parse(JSON.stringify({ [name]: valueToKeep(specOf(name), value) }))
      expect(readerOf(command, readKeptUnits(kept))(name)).toBe(readerOf(command, { [name]: value })(name))
    }),
  )
})

test('a decimal size is kept in bytes, which earlier versions read too', () => {
  const side = { settings: { keep: {} } }
  const kept = optionsToKeep({ source: side, destination: side }, { chunk: '8MB', bandwidth: '10MB/s' })
  expect(kept).toMatchObject({ chunk: '8000000B', bandwidth: '10000000B' })
})
