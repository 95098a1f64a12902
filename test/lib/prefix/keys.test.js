'use strict'

/** Names of the source that the destination would take for one, if its store can say whether it does. */

const fc = require('fast-check')
const { createFolding } = require('../../../lib/prefix/keys')
const { createFoldedNames } = require('../../../lib/prefix/keys/folded-names')

describe('a destination that says so itself', () => {
  /** @param {{ case: boolean, unicode: boolean } | undefined} answer */
  function foldingOf(answer, { dryRun = false } = {}) {
    const asked = []
    const store = {
      folds: async () => {
        asked.push('folds')
        return answer
      },
    }
    const destination = /** @type {any} */ ({ store, key: '' })
    const job = /** @type {any} */ ({ destination, run: { cancel: undefined } })
    return { asked, ...createFolding({ job, dryRun }) }
  }
  test('fails the second of two names before anything of it is written, and is asked once', async () => {
    const { clashes, asked } = foldingOf({ case: true, unicode: false })
    expect(await clashes('README')).toBe(false)
    expect(asked).toEqual([])
    expect(await clashes('readme')).toBe(true)
    expect(await clashes('Readme')).toBe(true)
    expect(await clashes('\u00e9')).toBe(false)
    expect(await clashes('e\u0301')).toBe(false)
    expect(asked).toEqual(['folds'])
  })

  test('spares an object whose name differs from one of the source', async () => {
    const { add, spares } = foldingOf({ case: true, unicode: false })
    add('Name')
    expect(await spares('name')).toBe(true)
    expect(await spares('other')).toBe(false)
  })

  test('is not asked in a dry run, which writes nothing', async () => {
    const { add, clashes, asked } = foldingOf({ case: true, unicode: true }, { dryRun: true })
    add('Name')
    await clashes('name')
    expect(asked).not.toContain('folds')
  })
})

describe('folded names', () => {
  const anyName = fc
    .array(fc.constantFrom('a', 'A', 'b', 'B', '\u00e9', '\u00c9', 'e\u0301', 'E\u0301', '1', '/', '\u{1F600}'), {
      minLength: 1,
      maxLength: 3,
    })
    .map(signs => signs.join(''))

  test('tells of each name whether one before is the same by case, by Unicode, or by both', () => {
    fc.assert(
      fc.property(fc.array(anyName, { maxLength: 30 }), given => {
        const folded = createFoldedNames()
        const before = []
        for (const name of given) {
          const others = before.filter(other => other !== name)
          const lower = text => text.toLowerCase()
          const composed = text => text.normalize('NFC')
          const expected = {
            case: others.some(other => lower(other) === lower(name)),
            unicode: others.some(other => composed(other) === composed(name)),
          }
          const kinds = folded.add(name)
          // Of three spellings the third is compared with the first.
          if (!before.includes(name)) expect(kinds.includes('case')).toBe(expected.case)
          if (!before.includes(name)) expect(kinds.includes('unicode')).toBe(expected.unicode)
          if (kinds.length > 0) {
            expect(others.some(other => lower(composed(other)) === lower(composed(name)))).toBe(true)
          }
          before.push(name)
        }
      }),
    )
  })
})
