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
    ['8MB', 8_000_000],
    ['8mB', 8_000_000],
    ['16kB', 16_000],
    ['16KB', 16_000],
    ['1.5GB', 1_500_000_000],
    ['2TB', 2e12],
    ['1PB', 1e15],
    ['8MiB', 8 * MiB],
    ['8miB', 8 * MiB],
    ['8MIB', 8 * MiB],
    ['8Mi', 8 * MiB],
    ['.5G', 512 * MiB],
    ['2P', 2 * 1024 ** 5],
    ['8 MiB', 8 * MiB],
    ['8 MB', 8_000_000],
    [' 8MiB ', 8 * MiB],
    ['1.5GiB', 1536 * MiB],
    ['5242880B', 5 * MiB],
    ['5242881B', 5 * MiB + 1],
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
    '8 i',
    '8.',
    '8.M',
    '8EB',
    '8MB/s',
    '8M 5K',
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

  test.each([
    ['8Mb', 'Give 8MB for bytes (or 8MiB, with powers of 1024), or 1MB if you mean bits.'],
    ['8mb', 'Give 8MB for bytes (or 8MiB, with powers of 1024), or 1MB if you mean bits.'],
    ['1.5 gib', 'Give 1.5GB for bytes (or 1.5GiB, with powers of 1024), or 0.188GB if you mean bits.'],
    ['100b', 'Give 100B for bytes, or 12.5B if you mean bits.'],
  ])('%p is ambiguous', (text, hint) => {
    expect(() => parseSize(text, '--chunk')).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: `--chunk "${text}" is ambiguous: b means bits to some and bytes to others.`,
        hint,
      }),
    )
  })

  test.each(['8Mbit', '8 mbits', '8MBit', '8Mbps'])('%p is in bits', text => {
    expect(() => parseSize(text, '--chunk')).toThrow(
      expect.objectContaining({
        message: `--chunk "${text}" is in bits, and xfer counts bytes.`,
        hint: 'Give 1MB, which is the same in bytes.',
      }),
    )
  })

  test.each(['1,000', '1_000M', '1 000', '1,5G', "1'000"])('%p has a separator', text => {
    expect(() => parseSize(text, '--chunk')).toThrow(
      expect.objectContaining({
        message: `--chunk "${text}" has a separator between its digits.`,
        hint: 'Write a number with digits alone, and its fraction after a point: 1500, 1.5.',
      }),
    )
  })

  test.each([
    ['512MB', '512'],
    ['1GB', '1024'],
    ['1000000B', '1'],
    ['0.7M', '1'],
  ])('%p is not in whole MiB', (text, mib) => {
    expect(() => parseSize(text, '--memory', { whole: true, least: MiB / 2 })).toThrow(
      expect.objectContaining({
        message: `--memory "${text}" is not a whole number of MiB.`,
        hint: `Give ${mib}, which is in MiB.`,
      }),
    )
  })

  test('of nothing is one where the least is nothing', () => {
    expect(['0', '0B', '0M'].map(text => parseSize(text, '--min-size', { least: 0 }))).toEqual([0, 0, 0])
    expect(() => parseSize('-1', '--min-size', { least: 0 })).toThrow('--min-size "-1" is not a size.')
  })

  test('of whole MiB reads the same with and without its unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 6 }), n => {
        expect([`${n}`, n, `${n}M`, `${n}Mi`, `${n}MiB`].map(text => parseSize(text, '--chunk'))).toEqual(
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
