'use strict'

const { checkKey, resolveKey } = require('../../../lib/stores')

it.each([
  ['plain', 'plain'],
  ['a/b.c/..d', 'a/b.c/..d'],
  ['folder/', 'folder/'],
  ['./a', 'a'],
  ['a/./b', 'a/b'],
  ['a/../b', 'b'],
  ['../a', 'a'],
  ['a//b', 'a/b'],
  ['/a', 'a'],
  ['a//', 'a/'],
  ['a\\b', 'a/b'],
  ['..', ''],
  ['/', ''],
])('a store that resolves keys makes of "%s" "%s"', (key, path) => {
  expect(resolveKey(key)).toBe(path)
})

describe('a key that could be resolved', () => {
  const head = { bytes: 1, etag: '"e"', lastModifiedMs: 5 }
  const storeOf = (heads, listed = []) => ({
    facts: { side: 'destination' },
    head: jest.fn(async key => {
      if (!heads[key]) throw new Error('missing')
      return heads[key]
    }),
    list: async () => ({ objects: listed.map(key => ({ key })) }),
  })

  it.each([
    ['nothing is there', storeOf({})],
    ['this one alone is there', storeOf({ 'a//b': head })],
    ['the other one alone is there', storeOf({ 'a/b': head })],
    ['two objects are there', storeOf({ 'a//b': head, 'a/b': { ...head, etag: '"other"' } })],
    ['two objects with equal contents are there', storeOf({ 'a//b': head, 'a/b': head }, ['a//b'])],
  ])('is let pass where %s', async (_, store) => {
    await checkKey({ store, key: 'a//b' }, { written: false })
    expect(store.head).toHaveBeenCalledTimes(2)
  })

  it.each([true, false])('is refused if the store resolves it to another key (written: %s)', async written => {
    const store = storeOf({ 'a//b': head, 'a/b': head })
    const facts = { key: 'a//b', other: 'a/b', written }
    await expect(checkKey({ store, key: 'a//b' }, { written })).rejects.toMatchObject({ code: 'KEY_RESOLVED', facts })
  })
})

it('a plain key costs no request', async () => {
  const store = { head: jest.fn() }
  await checkKey({ store, key: 'a/b' }, { written: false })
  expect(store.head).not.toHaveBeenCalled()
})
