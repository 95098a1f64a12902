'use strict'

/** Below a prefix: what small objects are written with, and how many are in flight. */

const { createDescriber } = require('../../../lib/many/small')
const { s3Answers } = require('../../support/s3-answers')
const { XferError } = require('../../../lib/errors')
const { createSemaphore } = require('../../../lib/async')

const FACTS = { side: 'source', bucket: 'b', endpoint: 'http://store' }

/**
 * A source of which nothing is known but what it is asked.
 *
 * @param {object} how
 * @param {(key: string) => any} [how.head] what it tells beside the usual, or an error
 * @param {(key: string) => any} [how.tags]
 * @param {'copy' | 'none'} [how.wish]
 */
function sourceOf({ head = () => ({}), tags = () => [], wish = 'copy' } = {}) {
  const asked = { head: [], tags: [] }
  const answer =
    (kind, found, usual = undefined) =>
    async key => {
      asked[kind].push(key)
      const told = found(key)
      if (told instanceof Error) throw told
      return usual ? { ...usual, ...told } : told
    }
  const usual = { bytes: 3, etag: '"e"', lastModifiedMs: 5, metadata: { headers: { 'content-type': 'x/y' }, user: {} } }
  const calls = { head: answer('head', head, usual), tags: { read: answer('tags', tags) } }
  const store = { ...s3Answers(FACTS), can: {}, ...calls }
  const source = { key: 'p/', store }
  const given = { headers: {}, user: {} }
  const attributes = { metadata: 'copy', tags: wish, storageClass: { copy: true }, given }
  const job = { source, destination: { store, key: 'q/' }, settings: { attributes }, run: {} }
  const describer = createDescriber(/** @type {any} */ ({ job, late: false }))
  const first = count => Promise.all(Array.from({ length: count }, (_, i) => describer.first(`n${i}`)))
  /** Whether an object that is only listed is asked for its tags. @param {any} [known] what else is known of it */
  const asksForTags = async known => {
    const before = asked.tags.length
    const object = { bytes: 3, etag: '"e"', ...known }
    await describer.describe(/** @type {any} */ ({ from: { store, key: 'p/other' } }), object, object.headers)
    return asked.tags.length > before
  }
  return { asked, describer, first, asksForTags }
}

describe('samples of the first objects', () => {
  const gone = () => new XferError('NO_SUCH_KEY', FACTS)

  test('the tags of twenty are asked for where their store tells no counts, and no more', async () => {
    const { asked, first, asksForTags } = sourceOf()
    const found = await first(30)
    expect([asked.head.length, asked.tags.length]).toEqual([20, 20])
    expect(found.map(sample => sample?.tags)).toEqual([...Array(20).fill(0), ...Array(10).fill(undefined)])
    expect(await asksForTags()).toBe(false)
  })

  test('where one has tags and tells of none all are asked, and none before that is known', async () => {
    let answered = () => {}
    const late = new Promise(resolve => (answered = resolve))
    const { first, asksForTags } = sourceOf({ tags: key => (key === 'p/n19' ? late.then(() => [['a', 'b']]) : []) })
    let known = false
    const found = first(25).finally(() => (known = true))
    await new Promise(resolve => setImmediate(resolve))
    expect(known).toBe(false)
    answered()
    expect((await found)[19].tags).toBe(1)
    expect(await asksForTags()).toBe(true)
  })

  test('an object whose sample does not tell its number of tags is asked for them', async () => {
    const { asksForTags } = sourceOf()
    const headers = { 'content-type': 'x/y' }
    expect(await asksForTags({ headers, tags: undefined })).toBe(true)
    expect(await asksForTags({ headers, tags: 0 })).toBe(false)
  })

  test('one that is gone meanwhile says nothing, and another is asked in its place', async () => {
    const { asked, describer, first, asksForTags } = sourceOf({
      head: key => (key === 'p/n0' ? gone() : {}),
      tags: key => (key === 'p/n20' ? [['a', 'b']] : []),
    })
    await first(20)
    expect(await asksForTags()).toBe(false)
    expect(await describer.first('n20')).toMatchObject({ tags: 1 })
    expect(await describer.first('n21')).toBeUndefined()
    expect(asked.tags).toHaveLength(20)
    expect(await asksForTags()).toBe(true)
  })
})

const order = /** @type {any} */ ({ from: { key: 'p/a' } })

test('guessed headers that were mostly wrong cost a HEAD first, however small the objects are, until they would be right again', async () => {
  const { asked, describer } = sourceOf({ wish: 'none' })
  expect(describer.guesses()).toBe(true)
  describer.differs(order, { 'content-type': 'x/z' })
  expect(describer.guesses()).toBe(false)
  expect(await describer.ask('b')).toMatchObject({ headers: { 'content-type': 'x/y' } })
  expect(describer.guesses()).toBe(false)
  await describer.ask('c')
  await describer.ask('d')
  expect(describer.guesses()).toBe(true)
  expect(asked.head).toEqual(['p/b', 'p/c', 'p/d'])
})

describe('a limit of the work in flight', () => {
  /** What has begun so far. */
  function setUp(most) {
    const limit = createSemaphore(most)
    const begun = []
    const enter = (name, size) => Promise.resolve(limit.enter(size)).then(() => begun.push(name))
    const turn = () => new Promise(resolve => setImmediate(resolve))
    return { limit, begun, enter, turn }
  }

  test('is empty once all that was let in has left, and what comes then waits for nothing', async () => {
    const { limit, begun, enter, turn } = setUp(3)
    enter('a', 1)
    let empty = false
    limit.empty().then(() => (empty = true))
    await turn()
    expect(empty).toBe(false)
    limit.leave(1)
    await turn()
    enter('b', 3)
    await turn()
    expect([empty, begun]).toEqual([true, ['a', 'b']])
    limit.leave(3)
    await limit.empty()
  })

  // The small one does not pass the one before it, and an object larger than the whole limit is let in alone.
  test('lets in objects in order of arrival, once they fit or nothing else is there', async () => {
    const { limit, begun, enter, turn } = setUp(3)
    for (const [name, size] of Object.entries({ a: 2, b: 2, c: 1, huge: 100, d: 1 })) enter(name, size)
    const seen = []
    for (const leaving of [0, 2, 3, 100]) {
      if (leaving > 0) limit.leave(leaving)
      await turn()
      seen.push(begun.join())
    }
    expect(seen).toEqual(['a', 'a,b,c', 'a,b,c,huge', 'a,b,c,huge,d'])
  })
})
