'use strict'

const fc = require('fast-check')
const { cut, rowsOf, widthOf, wrap, wrapWords } = require('../../cli/layout')

test.each([
  ['', 0],
  ['abc', 3],
  ['ünï', 3],
  ['u\u0308', 1],
  ['日本', 4],
  ['한', 2],
  ['😀', 2],
  ['ａ', 2],
  ['\u200b', 0],
  ['█░→', 3],
])('%j takes %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width)
})

test.each([
  ['xfer: one two three four five', 30, ['xfer: one two three four five']],
  ['xfer: one two three four five six', 30, ['xfer: one two three four five', '      six']],
  ['      one two three four five six', 30, ['      one two three four five', '      six']],
  ['Failed: a key with blanks: It is 日本日本', 30, ['Failed: a key with blanks: It', '        is 日本日本']],
  [`Note: ${'k'.repeat(40)} is long`, 30, [`Note: ${'k'.repeat(40)}`, '      is long']],
  ['Failed: one two three four five', 20, ['Failed: one two three four five']],
])('%j is wrapped to %i columns between words', (line, columns, lines) => {
  expect(wrapWords(line, columns)).toEqual(lines)
})

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

test('items are wrapped whole, unless one is longer than a line', () => {
  expect(wrap(['abc', 'def', 'g', 'a long one'], 8)).toEqual(['abc  def', 'g', 'a long o'])
})

test.each([
  [['abc'], 80, 1],
  [[''], 80, 1],
  [['abcdef', 'a'], 3, 3],
  [['日本'], 3, 2],
  [[], 80, 0],
])('the lines %j take on %i columns %i rows', (lines, columns, rows) => {
  expect(rowsOf(lines, columns)).toBe(rows)
})
