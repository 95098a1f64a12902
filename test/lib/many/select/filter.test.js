'use strict'

const fc = require('fast-check')
const { createFilter } = require('../../../../lib/many/select')

/** As on a command line: `-` excludes, `+` includes. */
const rulesOf = text =>
  text.map(rule => (rule.startsWith('+') ? { include: rule.slice(1) } : { exclude: rule.slice(1) }))

const NOON = Date.UTC(2026, 0, 31, 12)
const object = (bytes = 10, lastModifiedMs = NOON) => ({ bytes, lastModifiedMs })

/** Rules, names that they leave in, names that they leave out. @type {Array<[rules: string[], included: string[], excluded: string[]]>} */
const CASES = [
  // no rules, and what includes what is included anyway
  [[], ['', 'a', 'a/b', '.hidden', '😀'], []],
  // the whole name, letter by letter
  [['-a'], ['ab', 'ba', 'A', 'a/', ''], ['a']],
  [['-a+(b)^$|{1}\\'], ['aab', 'a+(b)^$|{1}'], ['a+(b)^$|{1}\\']],
  // the star
  [['-*'], [], ['', 'a', 'a/b', '/', '😀', 'a\nb']],
  [['-logs/*'], ['logs', 'log/a', 'x/logs/a'], ['logs/', 'logs/a', 'logs/a/b']],
  // the question mark
  [['-file-????.log'], ['file-123.log', 'file-12345.log'], ['file-1234.log', 'file-a/b😀.log']],
  [['-[!a-c]x'], ['ax', 'bx', 'cx', 'x'], ['dx', '!x', '/x', '😀x']],
  // brackets that are never closed stand for themselves
  [['-[abc'], ['a', 'abc'], ['[abc']],
  // unicode, by code points
  [['-[ä-ü]'], ['a', 'ÿ', 'Ä'], ['ä', 'ö', 'ü']],
  // braces
  [['-*.{jpg,png}'], ['a.gif', '.{jpg,png}', 'jpg'], ['a.jpg', 'a/b.png', '.jpg']],
  // their order: the last one that fits
  [
    ['-*', '+*.txt'],
    ['a.txt', 'a/b.txt'],
    ['a.jpg', 'txt'],
  ],
  [['+*.txt', '-*'], [], ['a.txt', 'a.jpg']],
  [
    ['-*', '+logs/*', '-*.tmp', '+*/keep.tmp'],
    ['logs/a', 'logs/keep.tmp', 'x/keep.tmp'],
    ['logs/a.tmp', 'keep.tmp'],
  ],
  [['- *'], ['a', 'a '], [' ', ' a']],
]

test.each(CASES)('by name %j leaves in %j and leaves out %j', (rules, included, excluded) => {
  const filter = createFilter({ rules: rulesOf(rules) })
  expect(included.filter(name => !filter(name, object()))).toEqual([])
  expect(excluded.filter(name => filter(name, object()))).toEqual([])
})

test('by name agrees with an exhaustive search', () => {
  /** Slow, and as simple as the rules are. */
  const fits = (pattern, name) => {
    if (pattern.length === 0) return name.length === 0
    const [sign, ...rest] = pattern
    if (sign === '*') return fits(rest, name) || (name.length > 0 && fits(pattern, name.slice(1)))
    return name.length > 0 && (sign === '?' || sign === name[0]) && fits(rest, name.slice(1))
  }
  const signs = fc.constantFrom('a', 'b', '/', '😀', '*', '*', '?')
  fc.assert(
    fc.property(
      fc.array(signs, { maxLength: 8 }),
      fc.array(fc.constantFrom('a', 'b', '/', '😀'), { maxLength: 9 }),
      (pattern, name) => {
        const filter = createFilter({ rules: [{ exclude: pattern.join('') }] })
        expect(filter(name.join(''), object())).toBe(!fits(pattern, name))
      },
    ),
    { numRuns: 200 },
  )
})

test.each([
  [`${'{a,aa}'.repeat(150)}b`, 'a'.repeat(1_024)],
  [`${'{a,'.repeat(3_000)}b${'}'.repeat(3_000)}`, 'b'],
  [`${'*a'.repeat(200)}b`, 'a'.repeat(1_024)],
  [`${'*[a-z]'.repeat(170)}!`, 'a'.repeat(1_024)],
])('by name takes no longer for names that nearly fit (%#)', (pattern, name) => {
  const filter = createFilter({ rules: [{ exclude: pattern }] })
  // A matcher that tries all ways would not be done today.
  expect([true, false]).toContain(filter(name, object()))
})

test.each([
  ['of the least size or more', { minBytes: 10 }, object(10), true],
  ['of the greatest size or less', { maxBytes: 10 }, object(10), true],
  ['modified at the moment since when', { newerThanMs: NOON }, object(1, NOON), true],
  ['modified before it', { newerThanMs: NOON }, object(1, NOON - 1), false],
  ['modified at the moment until when', { olderThanMs: NOON }, object(1, NOON), false],
  ['of which no time is known', { newerThanMs: NOON, olderThanMs: NOON }, { bytes: 1 }, true],
])('by bounds of size and time, an object is left in or out: %s', (_, limits, listed, included) => {
  expect(createFilter(limits)('name', listed)).toBe(included)
})

const meant = (pattern, names, prefix) => {
  const filter = createFilter({ rules: [{ include: pattern }], prefix })
  for (const name of names) filter(name, { bytes: 1 })
  return filter.unmatched().map(found => found.meant?.include)
}

test.each([
  ['tmp/', ['tmp/a'], ['tmp/*']],
  ['./a.jpg', ['a.jpg'], ['a.jpg']],
  ['s3://old@photos/2026/*.jpg', ['a.jpg'], ['*.jpg']],
  ['*.tiff', ['a.tif', 'b'], [undefined]],
  ['a', ['a'], []],
])('of a pattern that matches nothing, what %s was meant to be among %j is %j', (pattern, names, expected) => {
  expect(meant(pattern, names, '2026/')).toEqual(expected)
})
