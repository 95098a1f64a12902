'use strict'

/** Below a prefix: what small objects are written with, and how many are in flight. */

const { createDescriber } = require('../../../lib/many/small')
const { throughEngine } = require('../../../lib/copy')
const { s3Answers } = require('../../support/s3-answers')
const { XferError } = require('../../../lib/errors')
const { createSemaphore } = require('../../../lib/async')

const FACTS = { side: 'source', bucket: 'b', endpoint: 'http://store' }

describe('what is signed for a small object', () => {
  const wish = { metadata: 'copy', tags: 'copy', storageClass: { copy: true }, given: { headers: {}, user: {} } }
  const part = { partNumber: 1, start: 0, bytes: 3 }

  /** @param {Record<string, any>} [tags] that the source has, by key */
  function setUp(tags = {}) {
    const asked = []
    const written = []
    const store = {
      facts: FACTS,
      ...s3Answers(FACTS),
      can: { sums: { checked: [], answered: [] } },
      now: Date.now,
      head: async () => ({ bytes: 3, etag: '"e"', metadata: { headers: { 'content-type': 'x/y' }, user: {} } }),
      read: async () => ({ request: {} }),
      tags: {
        async read(key) {
          asked.push(key)
          return tags[key] ?? []
        },
      },
      async put(write) {
        written.push([write.key, write.attributes.tags])
        return { request: {} }
      },
    }
    const side = { store, key: '', text: 's3://b/', settings: {} }
    const settings = { verify: 'size', proved: false, attributes: wish }
    const trust = { put: () => false }
    const job = { engine: { can: {} }, source: side, destination: side, settings, trust, run: {} }
    const describer = createDescriber({ job, late: false })
    const { send } = throughEngine({
      job,
      async schedule(_, how) {
        await how.sign(part)
        return [{ ...part, etag: '"e"', sums: { crc32: '00000001' } }]
      },
      describer,
    })
    const how = { known: {}, condition: {} }
    const copy = async (name, found = {}) => {
      const end = { ...side, key: name }
      const { error } = await send({ from: end, to: end, emit() {} }, { bytes: 3, etag: '"e"', ...found }, how)
      expect(error).toBeUndefined()
    }
    return { asked, written, describer, copy }
  }

  test('one object without tags shows nothing about the others, if the store does not tell the number of tags', async () => {
    const tags = [['x', 'y']]
    const { asked, written, copy, describer } = setUp({ b: tags, sample: tags })
    await copy('a')
    expect(asked).toEqual([])
    // A sample that is known by now has had some.
    void describer.first('sample')
    await new Promise(resolve => setImmediate(resolve))
    await copy('b')
    expect(asked).toEqual(['sample', 'b'])
    expect(written).toEqual([
      ['a', undefined],
      ['b', tags],
    ])
  })

  test('an object whose tags are not known from its sample is asked for them', async () => {
    const { asked, copy } = setUp()
    const headers = { 'content-type': 'x/y' }
    await copy('a', { headers, tags: undefined })
    await copy('b', { headers: { ...headers }, tags: 0 })
    expect(asked).toEqual(['a'])
  })
})

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
  /** Whether an object that is only listed is asked for its tags. */
  const asksForTags = async () => {
    const before = asked.tags.length
    await describer.describe(/** @type {any} */ ({ from: { store, key: 'p/other' } }), { bytes: 3, etag: '"e"' })
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
