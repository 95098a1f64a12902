'use strict'

const { XferError } = require('../../../../lib/errors')
const { resolveKey } = require('../../../../lib/stores')
const { aliasOf, createStrangeKeys, isStrange, kindsOf } = require('../../../../lib/prefix/keys/strange-keys')

it.each([
  ['a/b', []],
  ['folder/', []],
  ['/a', ['leading']],
  ['a//b', ['slashes']],
  ['a//', ['slashes']],
  ['./a', ['dot']],
  ['a/..', ['parent']],
  ['a\\b', ['backslash']],
  ['//../.', ['leading', 'slashes', 'dot', 'parent']],
])('"%s" is of the kinds %j', (key, kinds) => {
  expect(kindsOf(key)).toEqual(kinds)
  expect(isStrange(key)).toBe(kinds.length > 0)
})

it.each(['leading', 'slashes', 'dot', 'parent', 'backslash'])('an alias of the kind %s is of that kind alone', kind => {
  const alias = aliasOf(kind, 'a/b/c')
  expect(kindsOf(alias)).toEqual([kind])
  expect(resolveKey(alias)).toBe('a/b/c')
})

/**
 * A store that resolves keys, or does not.
 *
 * @param {(key: string) => string} path what it makes of a key
 */
function storeOf(path, keys = []) {
  const objects = new Map(
    keys.map(key => [path(key), { key: path(key), bytes: 1, etag: `"${key}"`, lastModifiedMs: 5 }]),
  )
  return {
    facts: { side: 'destination' },
    objects,
    head: jest.fn(async key => {
      const found = objects.get(path(key))
      if (!found) throw new XferError('NO_SUCH_KEY', { side: 'destination', key })
      return found
    }),
    list: jest.fn(async ({ prefix }) => ({
      objects: [...objects.values()].filter(({ key }) => key.startsWith(prefix)),
    })),
    write(key) {
      const etag = `"${key}"`
      objects.set(path(key), { key: path(key), bytes: 1, etag, lastModifiedMs: 6 })
      return { etag }
    },
    remove: jest.fn(async ({ key }) => void objects.delete(key)),
  }
}

const literal = key => key
const open = store => createStrangeKeys({ store, key: '' }, undefined)

describe('with an object at the destination', () => {
  it('what becomes of each kind is asked once', async () => {
    const store = storeOf(resolveKey, ['a/b'])
    const strange = open(store)
    expect(await Promise.all(['x//y', 'x//z', 'v//w/./u'].map(strange.judge))).toEqual(Array(3).fill('resolved'))
    expect(store.list.mock.calls.filter(([{ prefix }]) => prefix === '')).toHaveLength(1)
    const asked = store.head.mock.calls.length
    expect(await strange.judge('p//q')).toBe('resolved')
    expect(store.head).toHaveBeenCalledTimes(asked)
  })

  it('keys of a store that resolves none are written', async () => {
    const strange = open(storeOf(literal, ['a/b']))
    expect(await Promise.all(['x//y', '/x', 'a/../b', './c'].map(strange.judge))).toEqual(Array(4).fill('kept'))
  })

  it('kinds differ', async () => {
    const strange = open(storeOf(key => key.replace(/^\//, ''), ['a/b']))
    expect([await strange.judge('x//y'), await strange.judge('/x'), await strange.judge('/x//y')]).toEqual([
      'kept',
      'resolved',
      'resolved',
    ])
  })

  it('two objects with equal contents are told apart', async () => {
    const store = storeOf(literal, ['a/b', 'a//b'])
    store.objects.set('a//b', { ...store.objects.get('a/b'), key: 'a//b' })
    expect(await open(store).judge('x//y')).toBe('kept')
  })

  it('a question that failed is asked again', async () => {
    const store = storeOf(literal, ['a/b'])
    const strange = open(store)
    store.head.mockRejectedValueOnce(new XferError('STORE_ERROR', { side: 'destination', status: 500 }))
    await expect(strange.judge('x//y')).rejects.toMatchObject({ code: 'STORE_ERROR' })
    expect(await strange.judge('x//y')).toBe('kept')
  })
})

describe('with nothing at the destination', () => {
  it("the store's behaviour is unknown until something is written", async () => {
    const store = storeOf(resolveKey)
    const strange = open(store)
    expect([await strange.judge('x//y'), strange.canTell()]).toEqual(['unknown', false])
    store.write('a/b')
    strange.wrote('a/b')
    expect([strange.canTell(), await strange.judge('x//y')]).toEqual([true, 'resolved'])
  })

  it('what was written elsewhere is taken away again, and no more is written', async () => {
    const store = storeOf(resolveKey)
    const strange = open(store)
    await expect(strange.attempt('x//y', async () => store.write('x//y'))).rejects.toMatchObject({
      code: 'KEY_RESOLVED',
      facts: { written: false },
    })
    expect([...store.objects]).toEqual([])
    expect(await strange.judge('p//q')).toBe('resolved')
  })

  it('what stood there before is left alone', async () => {
    const store = storeOf(resolveKey, ['x/y'])
    const write = jest.fn()
    await expect(open(store).attempt('x//y', write)).rejects.toMatchObject({ code: 'KEY_RESOLVED' })
    expect(write).not.toHaveBeenCalled()
    expect([...store.objects.keys()]).toEqual(['x/y'])
  })

  it('what cannot be taken away is told', async () => {
    const store = storeOf(resolveKey)
    store.remove.mockRejectedValue(new XferError('ACCESS_DENIED', { side: 'destination' }))
    await expect(open(store).attempt('x//y', async () => store.write('x//y'))).rejects.toMatchObject({
      code: 'KEY_RESOLVED',
      facts: { written: true },
    })
  })

  it('a key that was written as it stands tells of its kind', async () => {
    const store = storeOf(literal)
    const strange = open(store)
    expect(await strange.attempt('x//y', async () => store.write('x//y'))).toEqual({ etag: '"x//y"' })
    expect([await strange.judge('p//q'), await strange.judge('./q')]).toEqual(['kept', 'unknown'])
  })
})
