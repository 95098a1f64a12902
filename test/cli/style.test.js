'use strict'

const { styleOf } = require('../../cli/style')

const terminal = env => styleOf({ isTTY: true }, env)
const pipe = env => styleOf({}, env)
const hasColors = style => style.red('x') !== 'x'

test.each([
  ['a terminal', terminal({}), true],
  ['a pipe', pipe({}), false],
  ['a terminal that is dumb', terminal({ TERM: 'dumb' }), false],
  ['NO_COLOR', terminal({ NO_COLOR: '1' }), false],
  ['an empty NO_COLOR', terminal({ NO_COLOR: '' }), true],
  ['CLICOLOR=0', terminal({ CLICOLOR: '0' }), false],
  ['FORCE_COLOR', pipe({ FORCE_COLOR: '1' }), true],
  ['FORCE_COLOR=0', terminal({ FORCE_COLOR: '0' }), false],
  ['CLICOLOR_FORCE', pipe({ CLICOLOR_FORCE: '1' }), true],
  ['CLICOLOR_FORCE=0', pipe({ CLICOLOR_FORCE: '0' }), false],
  ['NO_COLOR and FORCE_COLOR', terminal({ NO_COLOR: '1', FORCE_COLOR: '1' }), false],
])('colours with %s', (_, style, colors) => {
  expect(hasColors(style)).toBe(colors)
})

test('only a terminal that is not dumb can redraw, whatever its colours', () => {
  expect(
    [terminal({ NO_COLOR: '1' }), terminal({ TERM: 'dumb' }), pipe({ FORCE_COLOR: '1' })].map(({ live }) => live),
  ).toEqual([true, false, false])
})

test.each([
  [{}, '→'],
  [{ LANG: '' }, '→'],
  [{ LANG: 'C.UTF-8' }, '→'],
  [{ LANG: 'C', LC_ALL: 'de_DE.utf8' }, '→'],
  [{ LANG: 'C' }, '->'],
  [{ LANG: 'en_US.UTF-8', LC_CTYPE: 'POSIX' }, '->'],
  [{ LANG: 'de_DE.ISO-8859-1' }, '->'],
])('with the locale %p an arrow is %s', (env, arrow) => {
  expect(pipe(env).signs.to).toBe(arrow)
})
