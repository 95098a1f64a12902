'use strict'

/** A flipped byte, a few tries a kind; `npm run flips -- --tries 1000` has many. */

const { KINDS } = require('./kinds')
const { MODE_KINDS } = require('./modes')
const { tryKind } = require('./tries')
const { createDraw, sequence } = require('../../bench/simulation/draws')

const TRIES = 2
const draw = createDraw(20261121)

/** What the worst of them may come to. */
const EXPECTED = kind => (kind.unnoticed ? { unnoticed: TRIES } : { unnoticed: 0 })

it.each(KINDS.map((kind, i) => [kind.what, kind, i]))(
  'a byte flipped in %s',
  async (_, kind, i) => {
    const count = await tryKind(kind, { tries: TRIES, random: sequence(draw, i) })
    expect(count).toMatchObject({ ...EXPECTED(kind), other: [] })
  },
  60_000,
)

/** Those of whom nothing is known but what is read back; `npm run flips -- --only modes` has all. */
const SILENT = ['nothing-to-compare', 'unchecked', 'unchecked-plain', 'framing-kept']

it.each(
  MODE_KINDS.filter(({ mode, flip }) => flip === 'write' && SILENT.includes(mode)).map((kind, i) => [
    kind.what,
    kind,
    i,
  ]),
)(
  'a byte flipped in %s',
  async (_, kind, i) => {
    const count = await tryKind(kind, { tries: 1, random: sequence(draw, 1000 + i) })
    expect(count).toMatchObject({ unnoticed: 0, other: [] })
  },
  60_000,
)

it('each kind that must be noticed is one that could pass unnoticed', () => {
  const unnoticed = KINDS.filter(kind => kind.unnoticed)
  expect(unnoticed.map(({ flip }) => flip).sort()).toEqual(['read', 'stored', 'write'])
  expect(KINDS.length - unnoticed.length).toBeGreaterThan(15)
})
