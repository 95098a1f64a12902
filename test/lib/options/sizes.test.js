'use strict'

const fc = require('fast-check')
const { parseCount, parseSize } = require('../../../lib/options')

const MiB = 1024 ** 2

describe('a size', () => {
  test.each([
    ['100', 100 * MiB],
    [100, 100 * MiB],
    ['1', MiB],
    ['0.5', MiB / 2],
    ['8M', 8 * MiB],
    ['8m', 8 * MiB],
    ['8MB', 8 * MiB],
    ['8MiB', 8 * MiB],
    ['8 MiB', 8 * MiB],
    [' 8MiB ', 8 * MiB],
    ['1.5GiB', 1536 * MiB],
    ['5242880B', 5 * MiB],
    ['5242881b', 5 * MiB + 1],
    ['16k', 16 * 1024],
    ['1T', 1024 ** 4],
    ['0.1K', 102],
  ])('%p is %i bytes', (text, bytes) => {
    expect(parseSize(text, '--chunk')).toBe(bytes)
  })

  test.each([
    '0',
    '0M',
    '0.0000001',
    '-1',
    '+1',
    '',
    ' ',
    'abc',
    '8X',
    '8MM',
    'M',
    '1e3',
    '0x10',
    '1,000',
    '8 i',
    '8Mb/s',
    'NaN',
    'Infinity',
    Number.NaN,
    -5,
    '9007199254740993T',
  ])('%p is none', text => {
    expect(() => parseSize(text, '--chunk')).toThrow(
      expect.objectContaining({ code: 'USAGE', message: `--chunk "${text}" is not a size.` }),
    )
  })

  test('of nothing is one where the least is nothing', () => {
    expect(['0', '0B', '0M'].map(text => parseSize(text, '--min-size', { least: 0 }))).toEqual([0, 0, 0])
    expect(() => parseSize('-1', '--min-size', { least: 0 })).toThrow('--min-size "-1" is not a size.')
  })

  test('of whole MiB reads the same with and without its unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 6 }), n => {
        expect([`${n}`, n, `${n}M`, `${n}MB`, `${n}MiB`].map(text => parseSize(text, '--chunk'))).toEqual(
          Array(5).fill(n * MiB),
        )
      }),
    )
  })
})

describe('a count', () => {
  const bounds = { least: 1, most: 10_000 }

  test.each([
    ['1', 1],
    [1, 1],
    ['1000', 1000],
    [' 7 ', 7],
    ['1e3', 1000],
    ['10000', 10_000],
    ['007', 7],
  ])('%p is %i', (text, count) => {
    expect(parseCount(text, '--concurrency', bounds)).toBe(count)
  })

  test.each(['0', '10001', '1e9', '1e999', '-1', '1.5', '', ' ', 'abc', '0x10', '1,000', '1_000', 'NaN', 0.5])(
    '%p is not between 1 and 10,000',
    text => {
      expect(() => parseCount(text, '--concurrency', bounds)).toThrow(
        expect.objectContaining({
          code: 'USAGE',
          message: `--concurrency "${text}" is not a whole number from 1 to 10,000.`,
        }),
      )
    },
  )

  test('0 is one where the least is 0', () => {
    expect(parseCount('0', '--retries', { least: 0, most: 100 })).toBe(0)
  })
})
