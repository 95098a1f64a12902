'use strict'

/** Names of the source that the destination would take for one, if its store can say whether it does. */

const { symlinkSync } = require('node:fs')
const fc = require('fast-check')
const { newFolder } = require('../../support/opened')
const { createFolding, createStateFilter } = require('../../../lib/many/keys')

/** @param {{ case: boolean, unicode: boolean } | undefined} answer */
async function foldingOf(answer, { dryRun = false } = {}) {
  const asked = []
  const store = {
    folds: async () => {
      asked.push('folds')
      return answer
    },
  }
  const destination = /** @type {any} */ ({ store, key: '' })
  const settings = /** @type {any} */ ({ dryRun })
  return { asked, ...(await createFolding({ destination, settings })) }
}

test('the journals of this user, which lie below a prefix of files, are none of its objects', () => {
  const home = newFolder()
  symlinkSync(home, `${home}/link`)
  const side = { place: JSON.stringify(['file:', '', `${home.slice(1)}/`]), store: { scheme: 'file' } }
  const isOfState = createStateFilter([side], { home: `${home}/link/.local/state/xfer` })
  expect(['.local/state/xfer/jobs/a', '.local/state/xfer2', 'a'].map(isOfState)).toEqual([true, false, false])
})

describe('a destination that says so itself', () => {
  test('spares an object whose name differs from one of the source, and is asked once', async () => {
    const { asked, clashes, spares } = await foldingOf({ case: true, unicode: false })
    clashes('Name')
    expect(['name', 'Name', 'other'].map(spares)).toEqual([true, false, false])
    expect(asked).toEqual(['folds'])
  })

  test('and cannot find out fails none', async () => {
    const { clashes, foldsAtAll } = await foldingOf(undefined)
    clashes('Name')
    expect([clashes('name'), foldsAtAll]).toEqual([false, false])
  })

  test('is not asked in a dry run, which writes nothing', async () => {
    const { clashes, asked } = await foldingOf({ case: true, unicode: true }, { dryRun: true })
    expect([clashes('Name'), clashes('name'), asked]).toEqual([false, false, []])
  })
})

const anyName = fc
  .array(fc.constantFrom('a', 'A', 'b', 'B', '\u00e9', '\u00c9', 'e\u0301', 'E\u0301', '1', '/', '\u{1F600}'), {
    minLength: 1,
    maxLength: 3,
  })
  .map(signs => signs.join(''))
const lower = text => text.toLowerCase()
const composed = text => text.normalize('NFC')

test.each([
  ['case', { case: true, unicode: false }, lower],
  ['Unicode', { case: false, unicode: true }, composed],
  ['both', { case: true, unicode: true }, text => lower(composed(text))],
  ['nothing', { case: false, unicode: false }, text => text],
])('each name is told of that is the same as one before when it is folded, by %s', async (_, answer, fold) => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyName, { maxLength: 30 }), async given => {
      const { clashes } = await foldingOf(answer)
      const before = new Map()
      for (const name of given) {
        const first = before.get(fold(name)) ?? name
        expect(clashes(name)).toBe(first !== name)
        before.set(fold(name), first)
      }
    }),
  )
})
