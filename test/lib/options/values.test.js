'use strict'

const { parseSize, readAttributes } = require('../../../lib/options')
const { parseCount, parseRate, parseDuration, parseShare, parseTime } = require('../../../lib/options/quantities')

const { usualMemory } = require('../../../lib/options/read')

const MiB = 1024 ** 2

const USAGE = expect.objectContaining({ code: 'USAGE' })

describe('a size', () => {
  test.each(Object.entries({ 100: 100, 0.5: 0.5, '8M': 8, '8MiB': 8, '.5G': 512 }))('%p is %d MiB', (text, mib) => {
    expect(parseSize(text, '--chunk')).toBe(mib * MiB)
  })

  test.each(['0', '-1', '', '8X', '1e3', '0x10', '8MB/s', '8Mb', '8Mbit', '1,000', '1 000', NaN])('%p is none', text =>
    expect(() => parseSize(text, '--chunk')).toThrow(USAGE),
  )

  test('that is not in whole MiB is refused where it has to be', () => {
    expect(() => parseSize('512MB', '--memory', { whole: true, range: [MiB / 2] })).toThrow(USAGE)
  })

  test('without a unit may be less than one with a unit: it was most likely meant in bytes', () => {
    const read = text => parseSize(text, '--chunk', { range: [MiB, 100 * MiB], mostBare: 10 * MiB })
    expect(['10', '11M'].map(read)).toEqual([10 * MiB, 11 * MiB])
    expect(() => read('11')).toThrow(expect.objectContaining({ hint: 'A number is MiB; 11 bytes are "11B".' }))
    for (const text of ['0.9M', '101M']) expect(() => read(text)).toThrow('from 1 to 100 MiB')
  })

  test.each([
    ['16MiB', 32 * MiB, 'is less than the least, 32 MiB.'],
    ['9B', 1000, 'is less than the least, 1,000 bytes.'],
  ])('%s is less than the least that there is, which is told', (text, least, says) => {
    expect(() => parseSize(text, '--memory', { range: [least] })).toThrow(`--memory "${text}" ${says}`)
  })

  test('of nothing is one where the least is nothing', () => {
    expect(['0', '0B', '0M'].map(text => parseSize(text, '--min-size', { range: [0] }))).toEqual([0, 0, 0])
    expect(() => parseSize('-1', '--min-size', { range: [0] })).toThrow('--min-size "-1" is not a size.')
  })
})

test.each([
  ['a large machine', { totalBytes: 64 * 1024 * MiB }, 512],
  ['a small one', { totalBytes: 1024 * MiB }, 256],
  ['a container', { totalBytes: 64 * 1024 * MiB, allowedBytes: 256 * MiB }, 64],
  ['a cgroup without a limit', { totalBytes: 1024 * MiB, allowedBytes: 2 ** 64 }, 256],
  ['a limit that is not known', { totalBytes: 1024 * MiB, allowedBytes: 0 }, 256],
  ['hardly any memory', { totalBytes: 64 * MiB }, 32],
])('the memory that is used of %s', (_, machine, mib) => expect(usualMemory(machine)).toBe(mib * MiB))

const bounds = { range: [1, 10_000] }

test('a count is a number of any form', () => {
  expect(['1e3', '10000'].map(text => parseCount(text, '--concurrency', bounds))).toEqual([1000, 10_000])
})

test.each(['0', '10001', '1e999', '-1', '1.5', '', '0x10', '1,000'])('a count %p is not between 1 and 10,000', text => {
  expect(() => parseCount(text, '--concurrency', bounds)).toThrow(USAGE)
})

test.each([
  ['1000', { count: 1000 }],
  ['0', { count: 0 }],
  ['0%', { percent: 0 }],
  ['2.5 %', { percent: 2.5 }],
  ['100%', { percent: 100 }],
])('the share %p', (text, expected) => expect(parseShare(text, '--max-delete')).toEqual(expected))

test.each(['101%', '-1%'])('the share %p is none', text => {
  expect(() => parseShare(text, '--max-delete')).toThrow(USAGE)
})

test.each([
  ['10M', 10 * 1024 ** 2],
  ['1.5GiB/s', 1.5 * 1024 ** 3],
  ['none', undefined],
])('a rate %p is so many bytes a second', (value, bytes) => expect(parseRate(value, '--bandwidth')).toBe(bytes))

test.each(['', 'M', '0', '10M/m', 'unlimited', '65535B'])('a rate %p is refused', value => {
  expect(() => parseRate(value, '--bandwidth')).toThrow(USAGE)
})

test('a rate and a duration without a unit may be less than those with one', () => {
  const rate = value => parseRate(value, '--bandwidth', { mostBare: 10 * MiB })
  expect(['10', '11M'].map(rate)).toEqual([10 * MiB, 11 * MiB])
  expect(() => rate('11')).toThrow('more than 10 MiB/s')
  const duration = value => parseDuration(value, '--timeout', { unit: 's', mostBare: 86_400_000 })
  expect(['86400', '86401s'].map(duration)).toEqual([86_400_000, 86_401_000])
  expect(() => duration('86401')).toThrow('is more than 1 day, as a number is in seconds')
})

describe('a duration', () => {
  const DURATIONS = { '7d': 604_800_000, '1.5h': 5_400_000, '0.001s': 1, '1w2d3h4m5s6ms': 788_645_006 }
  test.each(Object.entries(DURATIONS))('%j is %i ms', (value, ms) => {
    expect(parseDuration(value, '--timeout')).toBe(ms)
  })

  test.each(['', '1h30', '30m1h', '1m1m', '1h-5m', '-1s', '∞', Number.NaN])('%j is refused', value => {
    const refusal = { code: 'USAGE', message: `--timeout "${value}" is not a duration.` }
    expect(() => parseDuration(value, '--timeout')).toThrow(expect.objectContaining(refusal))
  })

  test('a number without a unit is refused, because tools disagree on its meaning', () => {
    const hint = 'Say which one you mean: 30s, 30m, 30h or 30d.'
    const lacks = { message: '--older-than "30" lacks a unit.', hint }
    expect(() => parseDuration('30', '--older-than')).toThrow(expect.objectContaining({ code: 'USAGE', ...lacks }))
  })

  test.each([
    ['30M', 'ambiguous: M means minutes to some'],
    ['0.1ms', 'less than a millisecond'],
    ['10001d', 'longer than 10,000 days'],
  ])('%j is refused with its reason', (value, reason) => {
    expect(() => parseDuration(value, '--timeout')).toThrow(reason)
  })

  test('a number has the unit of its option, and zero needs none', () => {
    expect(['30', 30].map(value => parseDuration(value, '--timeout', { unit: 's' }))).toEqual([30_000, 30_000])
    expect(parseDuration('0', '--older-than', { range: [0] })).toBe(0)
  })

  test('a duration outside the bounds of its option is refused', () => {
    const bounds = { unit: 's', range: [1000, 3_600_000] }
    expect(parseDuration('1h', '--outage-timeout', bounds)).toBe(3_600_000)
    for (const value of ['0', '3601', '999ms', '2h']) {
      const message = `--outage-timeout "${value}" is not a duration from 1s to 3,600s.`
      expect(() => parseDuration(value, '--outage-timeout', bounds)).toThrow(expect.objectContaining({ message }))
    }
  })
})

const NOW = Date.UTC(2026, 10, 21, 12)
const DAY_MS = 86_400_000

test.each([
  ['7d', NOW - 7 * DAY_MS],
  [' 1.5h ', NOW - 5_400_000],
  ['2026-01-31', Date.UTC(2026, 0, 31)],
  ['2026-01-31 10:00:30', Date.UTC(2026, 0, 31, 10, 0, 30)],
  ['2026-01-31T10:00:30.25Z', Date.UTC(2026, 0, 31, 10, 0, 30, 250)],
  ['2026-01-31T10:00:00-05:30', Date.UTC(2026, 0, 31, 15, 30)],
])('a time %j is %i', (value, ms) => expect(parseTime(value, '--newer-than', NOW)).toBe(ms))

test.each([
  ...['', '7 days', '-1d', '2026', '2026-1-1', '2026-02-30', '2026-13-01'],
  ...['2026-01-31T25:00', '2026-01-31T10:00 CET', '31.01.2026'],
])('a time %j is refused', value => expect(() => parseTime(value, '--newer-than', NOW)).toThrow(USAGE))

test('without options, attributes are those of the source', () => {
  const given = { headers: {}, user: {} }
  const usual = { metadata: 'copy', given, tags: 'copy', storageClass: { copy: true }, mtime: false }
  expect(readAttributes({})).toEqual(usual)
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

test('attributes have encryption, with its key', () => {
  const keyId = 'arn:aws:kms:eu-west-1:1:alias/my-key_1'
  const { encryption } = readAttributes({ sse: 'aws:kms:dsse', sseKmsKeyId: keyId })
  expect(encryption).toEqual({ kind: 'aws:kms:dsse', keyId })
})

test.each([
  [{ metadata: 'merge' }, '--metadata "merge" is unknown'],
  [{ sseKmsKeyId: 'k' }, 'no --sse says what it is for'],
  [{ sse: 'aws:kms', sseKmsKeyId: 'a b' }, '"a b" cannot be a key'],
  [{ headers: { Expires: 'tomorrow' } }, '--header Expires "tomorrow" is not a date'],
  [{ headers: { 'Content-Type': 'a/b' } }, '"Content-Type" is not a header that'],
  [{ metadataSet: ['ä=blue'] }, '"ä" is not a name'],
])('attributes %j are refused: %s', (options, text) => {
  const refusal = { code: 'USAGE', exitCode: 2, message: expect.stringContaining(text) }
  expect(() => readAttributes(options)).toThrow(expect.objectContaining(refusal))
})
