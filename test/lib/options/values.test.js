'use strict'

const { parseCount, parseSize, readAttributes } = require('../../../lib/options')
const { parseRate } = require('../../../lib/options/sizes')
const { parseDuration, parseTime } = require('../../../lib/options/durations')

const MiB = 1024 ** 2

describe('a size', () => {
  test.each([
    ['100', 100 * MiB],
    [100, 100 * MiB],
    ['0.5', MiB / 2],
    ['8M', 8 * MiB],
    ['8MB', 8_000_000],
    ['1PB', 1e15],
    ['8MiB', 8 * MiB],
    ['.5G', 512 * MiB],
    [' 8MiB ', 8 * MiB],
    ['0.1K', 102],
  ])('%p is %i bytes', (text, bytes) => {
    expect(parseSize(text, '--chunk')).toBe(bytes)
  })

  test.each(['0', '-1', '', '8X', '1e3', '0x10', '8MB/s', Number.NaN, '9007199254740993T'])('%p is none', text => {
    expect(() => parseSize(text, '--chunk')).toThrow(
      expect.objectContaining({ code: 'USAGE', message: `--chunk "${text}" is not a size.` }),
    )
  })

  test.each([['8Mb', 'Give 8MB for bytes (or 8MiB, with powers of 1024), or 1MB if you mean bits.']])(
    '%p is ambiguous',
    (text, hint) => {
      expect(() => parseSize(text, '--chunk')).toThrow(
        expect.objectContaining({
          code: 'USAGE',
          message: `--chunk "${text}" is ambiguous: b means bits to some and bytes to others.`,
          hint,
        }),
      )
    },
  )

  test.each(['8Mbit', '8Mbps'])('%p is in bits', text => {
    expect(() => parseSize(text, '--chunk')).toThrow(
      expect.objectContaining({
        message: `--chunk "${text}" is in bits, and xfer counts bytes.`,
        hint: 'Give 1MB, which is the same in bytes.',
      }),
    )
  })

  test.each(['1,000', '1 000', '1,5G'])('%p has a separator', text => {
    expect(() => parseSize(text, '--chunk')).toThrow(
      expect.objectContaining({
        message: `--chunk "${text}" has a separator between its digits.`,
        hint: 'Write a number with digits alone, and its fraction after a point: 1500, 1.5.',
      }),
    )
  })

  test.each([
    ['512MB', '512'],
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
})

describe('a count', () => {
  const bounds = { least: 1, most: 10_000 }

  test.each([
    ['1', 1],
    ['1e3', 1000],
    ['10000', 10_000],
  ])('%p is %i', (text, count) => {
    expect(parseCount(text, '--concurrency', bounds)).toBe(count)
  })

  test.each(['0', '10001', '1e999', '-1', '1.5', '', '0x10', '1,000'])('%p is not between 1 and 10,000', text => {
    expect(() => parseCount(text, '--concurrency', bounds)).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: `--concurrency "${text}" is not a whole number from 1 to 10,000.`,
      }),
    )
  })
})

describe('a rate', () => {
  test.each([
    ['10M', 10 * 1024 ** 2],
    ['10MiB/s', 10 * 1024 ** 2],
    ['10', 10 * 1024 ** 2],
    ['1.5GiB/s', 1.5 * 1024 ** 3],
    ['none', undefined],
  ])('%p is so many bytes a second', (value, bytes) => {
    expect(parseRate(value, '--bandwidth')).toBe(bytes)
  })

  test.each(['', 'M', '0', '10M/m', 'unlimited', '65535B'])('%p is refused', value => {
    expect(() => parseRate(value, '--bandwidth')).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })

  test.each([
    ['100Mbit/s', 'is in bits, and xfer counts bytes.', 'Give 12.5MB, which is the same in bytes.'],
    ['32K', 'is less than 64 KiB/s.', expect.stringContaining('10MB/s')],
  ])('%p is refused with a reason', (value, says, hint) => {
    expect(() => parseRate(value, '--bandwidth')).toThrow(
      expect.objectContaining({ message: `--bandwidth "${value}" ${says}`, hint }),
    )
  })
})

describe('a duration', () => {
  test.each([
    ['7d', 604_800_000],
    ['1.5h', 5_400_000],
    ['0.001s', 1],
    ['1w2d3h4m5s6ms', 788_645_006],
  ])('%j is %i ms', (value, ms) => {
    expect(parseDuration(value, '--timeout')).toBe(ms)
  })

  test.each(['', '1h30', '30m1h', '1m1m', '1h-5m', '-1s', '∞', Number.NaN])('%j is refused', value => {
    expect(() => parseDuration(value, '--timeout')).toThrow(
      expect.objectContaining({ code: 'USAGE', message: `--timeout "${value}" is not a duration.` }),
    )
  })

  test.each([
    ['0s', 'is less than a millisecond'],
    ['10001d', 'is longer than 10,000 days'],
  ])('%s is refused with the reason', (value, says) => {
    expect(() => parseDuration(value, '--older-than')).toThrow(
      expect.objectContaining({ code: 'USAGE', message: `--older-than "${value}" ${says}.` }),
    )
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

  test('a duration outside the bounds of its option is refused', () => {
    const bounds = { unit: 's', leastMs: 1000, mostMs: 3_600_000 }
    expect(parseDuration('1h', '--outage-timeout', bounds)).toBe(3_600_000)
    for (const value of ['0', '3601', '999ms', '2h']) {
      expect(() => parseDuration(value, '--outage-timeout', bounds)).toThrow(
        expect.objectContaining({ message: `--outage-timeout "${value}" is not a duration from 1s to 3,600s.` }),
      )
    }
  })
})

describe('a time', () => {
  const NOW = Date.UTC(2026, 10, 21, 12)
  const DAY_MS = 86_400_000

  test.each([
    ['7d', NOW - 7 * DAY_MS],
    [' 1.5h ', NOW - 5_400_000],
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2026-01-31 10:00:30', Date.UTC(2026, 0, 31, 10, 0, 30)],
    ['2026-01-31T10:00:30.25Z', Date.UTC(2026, 0, 31, 10, 0, 30, 250)],
    ['2026-01-31T10:00:00-05:30', Date.UTC(2026, 0, 31, 15, 30)],
  ])('%j is %i', (value, ms) => {
    expect(parseTime(value, '--newer-than', NOW)).toBe(ms)
  })

  test.each([
    ...['', '7 days', '-1d', '2026', '2026-1-1', '2026-02-30', '2026-13-01'],
    ...['2026-01-31T25:00', '2026-01-31T10:00 CET', '31.01.2026'],
  ])('%j is refused', value => {
    const advice =
      'Give an age with a unit, such as 90m, 24h or 7d, or a date, such as 2026-01-31 or 2026-01-31T10:00Z.'
    const message = `--newer-than "${value}" is neither an age nor a date.`
    expect(() => parseTime(value, '--newer-than', NOW)).toThrow(
      expect.objectContaining(value === '2026' ? { code: 'USAGE' } : { code: 'USAGE', message, hint: advice }),
    )
  })
})

describe('attributes', () => {
  test('without options, attributes are those of the source', () => {
    expect(readAttributes({})).toEqual({
      metadata: 'copy',
      given: { headers: {}, user: {} },
      tags: 'copy',
      storageClass: { copy: true },
      mtime: false,
    })
  })

  test('headers and user metadata are the bytes that go over the wire', () => {
    const { given } = readAttributes({
      contentType: 'text/html',
      headers: ['Content-Disposition=attachment; filename="ä"', 'expires=2027-01-31'],
      metadataSet: ['Name=日', 'empty=', 'signs=a=b=c'],
    })
    expect(given).toEqual({
      headers: {
        'content-type': 'text/html',
        'content-disposition': 'attachment; filename="\xc3\xa4"',
        expires: 'Sun, 31 Jan 2027 00:00:00 GMT',
      },
      user: { name: '\xe6\x97\xa5', empty: '', signs: 'a=b=c' },
    })
    expect(readAttributes({ metadataSet: { A: '1' } }).given.user).toEqual({ a: '1' })
  })

  test.each([
    ['2027-01-31T08:00:00Z', 'Sun, 31 Jan 2027 08:00:00 GMT'],
    ['Sun, 31 Jan 2027 08:00:00 GMT', 'Sun, 31 Jan 2027 08:00:00 GMT'],
  ])('the date %s is %s', (expires, header) => {
    expect(readAttributes({ headers: { Expires: expires } }).given.headers.expires).toBe(header)
  })

  test.each([
    [
      { sse: 'aws:kms:dsse', sseKmsKeyId: 'arn:aws:kms:eu-west-1:1:alias/my-key_1' },
      { kind: 'aws:kms:dsse', keyId: 'arn:aws:kms:eu-west-1:1:alias/my-key_1' },
    ],
  ])('encryption: %j', (options, encryption) => {
    expect(readAttributes(options).encryption).toEqual(encryption)
  })

  test.each([
    [{ metadata: 'merge' }, '--metadata "merge" is unknown'],
    [{ sseKmsKeyId: 'k' }, 'no --sse says what it is for'],
    [{ sse: 'AES256', sseKmsKeyId: 'k' }, '--sse AES256 takes none'],
    [{ sse: 'aws:kms', sseKmsKeyId: 'a b' }, '"a b" cannot be a key'],
    [{ contentType: ' text/plain' }, 'begins or ends with a blank'],
    [{ headers: { 'Cache-Control': 'a\nb' } }, '--header Cache-Control holds a line end'],
    [{ headers: { Expires: 'tomorrow' } }, '--header Expires "tomorrow" is not a date'],
    [{ headers: { 'Content-Type': 'a/b' } }, '"Content-Type" is not a header that'],
    [{ metadataSet: ['color'] }, '--metadata-set "color" has no value'],
    [{ metadataSet: ['ä=blue'] }, '"ä" is not a name'],
    [{ metadataSet: ['a=\u0000'] }, '--metadata-set a holds'],
  ])('%j is refused: %s', (options, text) => {
    expect(() => readAttributes(options)).toThrow(expect.objectContaining({ code: 'USAGE', exitCode: 2 }))
    expect(() => readAttributes(options)).toThrow(text)
  })
})
