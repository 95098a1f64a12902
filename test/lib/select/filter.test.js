'use strict'

const fc = require('fast-check')
const { createFilter } = require('../../../lib/select')

/** As on a command line: `-` excludes, `+` includes. */
const rulesOf = text =>
  text.map(rule => (rule.startsWith('+') ? { include: rule.slice(1) } : { exclude: rule.slice(1) }))

const NOON = Date.UTC(2026, 0, 31, 12)
const object = (bytes = 10, lastModifiedMs = NOON) => ({ bytes, lastModifiedMs })

describe('by name', () => {
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
    [['-[!]a]'], [']', 'a', ''], ['b', '[', '!']],
    [['-[z-a]'], ['a', 'm', 'z', '-'], []],
    // brackets that are never closed stand for themselves
    [['-[abc'], ['a', 'abc'], ['[abc']],
    [['-a[b*'], ['ab', 'a'], ['a[b', 'a[bcd']],
    // unicode, by code points
    [['-[ä-ü]'], ['a', 'ÿ', 'Ä'], ['ä', 'ö', 'ü']],
    [['-[😀-😎]'], ['😏', '\ud83d', 'a'], ['😀', '😃', '😎']],
    // braces
    [['-*.{jpg,png}'], ['a.gif', '.{jpg,png}', 'jpg'], ['a.jpg', 'a/b.png', '.jpg']],
    [['-{a{b,c}'], ['ab', 'a{b'], ['{ab', '{ac']],
    [['-{a[,]b,c}'], ['a', 'b,c'], ['a,b', 'c']],
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

  test.each(CASES)('%j leaves in %j and leaves out %j', (rules, included, excluded) => {
    const filter = createFilter({ rules: rulesOf(rules) })
    expect(included.filter(name => !filter(name, object()))).toEqual([])
    expect(excluded.filter(name => filter(name, object()))).toEqual([])
  })

  test('agrees with an exhaustive search', () => {
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

  test('agrees with the expansion of its braces', () => {
    /** All patterns without braces; the braces given are closed and have a comma. @returns {string[]} */
    const expand = pattern => {
      const close = pattern.indexOf('}')
      if (close === -1) return [pattern]
      const open = pattern.lastIndexOf('{', close)
      const alternatives = pattern.slice(open + 1, close).split(',')
      return alternatives.flatMap(one => expand(pattern.slice(0, open) + one + pattern.slice(close + 1)))
    }
    const plain = fc.array(fc.constantFrom('a', 'b', '*', '?', '[ab]', '/'), { maxLength: 3 }).map(all => all.join(''))
    const { pattern } = fc.letrec(tie => ({
      pattern: fc.array(fc.oneof({ maxDepth: 2 }, plain, tie('braces')), { maxLength: 3 }).map(all => all.join('')),
      braces: fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map(all => `{${all.join(',')}}`),
    }))
    const names = fc.array(fc.constantFrom('a', 'b', '/', ','), { maxLength: 6 }).map(all => all.join(''))
    fc.assert(
      fc.property(pattern, fc.array(names, { minLength: 1, maxLength: 12 }), (glob, all) => {
        fc.pre(glob.split('{').length <= 5)
        const filter = createFilter({ rules: [{ exclude: glob }] })
        const plainly = createFilter({ rules: expand(glob).map(exclude => ({ exclude })) })
        for (const name of all) expect([name, filter(name, object())]).toEqual([name, plainly(name, object())])
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    [`${'{a,aa}'.repeat(150)}b`, 'a'.repeat(1_024)],
    [`${'{a,'.repeat(3_000)}b${'}'.repeat(3_000)}`, 'b'],
    [`${'*a'.repeat(200)}b`, 'a'.repeat(1_024)],
    [`${'*[a-z]'.repeat(170)}!`, 'a'.repeat(1_024)],
  ])('takes no longer for names that nearly fit (%#)', (pattern, name) => {
    const filter = createFilter({ rules: [{ exclude: pattern }] })
    // A matcher that tries all ways would not be done today.
    expect([true, false]).toContain(filter(name, object()))
  })
})

describe('by size and time, bounds', () => {
  test.each([
    ['of the least size or more', { minBytes: 10 }, object(10), true],
    ['of the greatest size or less', { maxBytes: 10 }, object(10), true],
    ['modified at the moment since when', { newerThanMs: NOON }, object(1, NOON), true],
    ['modified before it', { newerThanMs: NOON }, object(1, NOON - 1), false],
    ['modified at the moment until when', { olderThanMs: NOON }, object(1, NOON), false],
    ['of which no time is known', { newerThanMs: NOON, olderThanMs: NOON }, { bytes: 1 }, true],
  ])('an object %s', (_, limits, listed, included) => {
    expect(createFilter(limits)('name', listed)).toBe(included)
  })

  test('all conditions have to hold', () => {
    const filter = createFilter({ rules: rulesOf(['-*.tmp']), minBytes: 5, olderThanMs: NOON })
    expect(filter('a', object(5, NOON - 1))).toBe(true)
    expect([filter('a.tmp', object(5, NOON - 1)), filter('a', object(4, NOON - 1)), filter('a', object())]).toEqual(
      Array(3).fill(false),
    )
  })
})

describe('a pattern that matches nothing', () => {
  const meant = (pattern, names, prefix) => {
    const filter = createFilter({ rules: [{ include: pattern }], prefix })
    for (const name of names) filter(name, { bytes: 1 })
    return filter.unmatched().map(found => found.meant?.include)
  }

  test.each([
    ['tmp/', ['tmp/a'], ['tmp/*']],
    ['/tmp/*', ['tmp/a'], ['tmp/*']],
    ['./a.jpg', ['a.jpg'], ['a.jpg']],
    ['s3://old@photos/2026/*.jpg', ['a.jpg'], ['*.jpg']],
    ['*.tiff', ['a.tif', 'b'], [undefined]],
    ['/', ['a'], [undefined]],
    ['a', ['a'], []],
  ])('what %s was meant to be among %j is %j', (pattern, names, expected) => {
    expect(meant(pattern, names, '2026/')).toEqual(expected)
  })
})
