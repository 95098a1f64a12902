'use strict'

/** Names of the source that the destination would take for one, if its store can say whether it does. */

const { createFolding } = require('../../../../lib/prefix/keys')

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

  test('by both together only if it folds both', async () => {
    for (const unicode of [false, true]) {
      const { clashes } = foldingOf({ case: true, unicode })
      await clashes('\u00c9')
      expect(await clashes('e\u0301')).toBe(unicode)
    }
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
