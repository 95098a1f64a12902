'use strict'

/** Numbers, widths and colours of what is printed. */

const fc = require('fast-check')
const format = require('../../cli/format')

const { cut, formatBytes, formatDuration, formatElapsed, formatEta, formatRate, printable } = format
const { styleOf, widthOf, wrapWords } = format

describe('format', () => {
  const KiB = 1024
  const MiB = 1024 ** 2
  const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]

  test.each([
    [1023, '1023 B'],
    [1536, '1.50 KiB'],
    [1023.5 * KiB, '1.00 MiB'],
    [MiB - 1, '1.00 MiB'],
    [5 * 1024 ** 4, '5.00 TiB'],
    [5000 * 1024 ** 5, '5000 PiB'],
  ])('%i bytes are %s', (bytes, text) => {
    expect([formatBytes(bytes), formatRate(bytes)]).toEqual([text, `${text}/s`])
  })

  test.each([
    [850, '850 ms'],
    [59_949, '59.9 s'],
    [59_950, '1 min 00 s'],
    [48 * HOUR - 31_000, '47 h 59 min'],
    [48 * HOUR, '2 d 0 h'],
  ])('%i ms are %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

  test.each([
    [1001, '2 s'],
    [59_001, '1 min 00 s'],
    [151 * SECOND, '2 min 40 s'],
    [61 * MINUTE, '1 h 10 min'],
    [50 * HOUR + 1, '2 d 3 h'],
  ])('an estimate of %p ms is %s', (ms, text) => expect(formatEta(ms)).toBe(text))

  test('no time has 60 seconds, 60 minutes or 24 hours too many, and a longer one is never told as shorter', () => {
    const inMs = text => {
      const units = { ms: 1, s: SECOND, min: MINUTE, h: HOUR, d: DAY }
      return [...text.matchAll(/([\d.]+) (\w+)/g)].reduce((sum, [, n, unit]) => sum + Number(n) * units[unit], 0)
    }
    const time = fc.integer({ min: 0, max: 100 * DAY })
    fc.assert(
      fc.property(time, time, (a, b) => {
        for (const format of [formatDuration, formatElapsed, formatEta]) {
          expect(format(a)).not.toMatch(/\b(?:60(?:\.0)? s|60 min|1000 ms|d 24 h)/)
          expect(inMs(format(Math.min(a, b)))).toBeLessThanOrEqual(inMs(format(Math.max(a, b))))
        }
      }),
    )
  })

  test.each([
    ['s3://b/ünï 日本 😀', 's3://b/ünï 日本 😀'],
    ['a\x1b[2Jb', 'a\\u001b[2Jb'],
    ['two\nlines\r', 'two\\u000alines\\u000d'],
    ['abc\u202exyz', 'abc\\u202exyz'],
  ])('%j is printed as %s', (text, expected) => expect(printable(text)).toBe(expected))
})

test.each([
  ['u\u0308', 1],
  ['日本', 4],
  ['😀', 2],
  ['\u200b', 0],
])('%j takes %i columns', (text, width) => expect(widthOf(text)).toBe(width))

test.each([
  ['xfer: one two three four five', 30, ['xfer: one two three four five']],
  ['xfer: one two three four five six', 30, ['xfer: one two three four five', '      six']],
  ['Failed: a key with blanks: It is 日本日本', 30, ['Failed: a key with blanks: It', '        is 日本日本']],
  [`Note: ${'k'.repeat(40)} is long`, 30, [`Note: ${'k'.repeat(40)}`, '      is long']],
])('%j is wrapped to %i columns between words', (line, columns, lines) =>
  expect(wrapWords(line, columns)).toEqual(lines),
)

test('a text is cut to whole characters, and is as long as can be', () => {
  expect([cut('日本', 3), cut('日本', 4), cut('abc', 0), cut('u\u0308x', 1)]).toEqual(['日', '日本', '', 'u\u0308'])
  fc.assert(
    fc.property(fc.fullUnicodeString(), fc.nat(20), (text, columns) => {
      const kept = cut(text, columns)
      expect(text.startsWith(kept)).toBe(true)
      expect(widthOf(kept)).toBeLessThanOrEqual(columns)
      if (kept !== text) expect(widthOf(kept)).toBeGreaterThanOrEqual(columns - 1)
    }),
  )
})

const terminal = env => styleOf({ isTTY: true }, env)
const pipe = env => styleOf({}, env)
const hasColors = style => style.red('x') !== 'x'

test.each([
  ['a terminal', terminal({}), true],
  ['a pipe', pipe({}), false],
  ['a terminal that is dumb', terminal({ TERM: 'dumb' }), false],
  ['FORCE_COLOR', pipe({ FORCE_COLOR: '1' }), true],
  ['NO_COLOR and FORCE_COLOR', terminal({ NO_COLOR: '1', FORCE_COLOR: '1' }), false],
])('there are colours with %s', (_, style, colors) => expect(hasColors(style)).toBe(colors))

test.each([
  [{}, '→'],
  [{ LANG: 'C', LC_ALL: 'de_DE.utf8' }, '→'],
  [{ LANG: 'C' }, '->'],
  [{ LANG: 'en_US.UTF-8', LC_CTYPE: 'POSIX' }, '->'],
])('with the locale %p an arrow is %s', (env, arrow) => expect(pipe(env).signs.to).toBe(arrow))
