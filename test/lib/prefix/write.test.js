'use strict'

/** Below a prefix: what small objects are written with, and how many are in flight. */

const { createGuess, createDescriber, createSamples } = require('../../../lib/prefix/write/describer')
const { throughEngine } = require('../../../lib/object')
const { s3Answers } = require('../../support/s3-answers')
const { XferError } = require('../../../lib/errors')
const { createRoom } = require('../../../lib/prefix/write/rooms')

describe('what is signed for a small object', () => {
  const wish = { metadata: 'copy', tags: 'copy', storageClass: { copy: true }, given: { headers: {}, user: {} } }
  const part = { partNumber: 1, start: 0, bytes: 3 }

  /** @param {{ defaultTagCount?: () => number | undefined, tags?: Record<string, any> }} [how] tags: that the source has, by key */
  function setUp({ defaultTagCount = () => 0, tags = {} } = {}) {
    const asked = []
    const written = []
    const facts = { side: 'source', bucket: 'b', endpoint: 'http://store' }
    const store = {
      facts,
      ...s3Answers(facts),
      can: {},
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
    const guess = createGuess()
    const job = {
      engine: { can: {} },
      source: side,
      destination: side,
      settings: { verify: 'size', proved: false, attributes: wish },
      run: {},
    }
    const { send } = throughEngine({
      job,
      async scheduleOne(_, how) {
        await how.sign(part)
        return { ...part, etag: '"e"', sums: { crc32: '00000001' } }
      },
      describer: createDescriber({ job, guess, samples: { defaultTagCount } }),
    })
    const plan = () => ({ sums: [], sent: false, tell: true, evidence: 'none' })
    const how = { known: {}, plan, condition: {} }
    const copy = async (name, found = {}) => {
      const end = { ...side, key: name }
      const { error } = await send({ from: end, to: end, emit() {} }, { bytes: 3, etag: '"e"', ...found }, how)
      expect(error).toBeUndefined()
    }
    return { asked, written, guess, copy }
  }

  test('one object without tags shows nothing about the others, if the store does not tell the number of tags', async () => {
    const known = { now: 0 }
    const { asked, written, copy, guess } = setUp({ defaultTagCount: () => known.now, tags: { b: [['x', 'y']] } })
    await copy('a')
    // A sample that is known by now has had some.
    known.now = undefined
    guess.was(true)
    await copy('b')
    expect(asked).toEqual(['b'])
    expect(written).toEqual([
      ['a', undefined],
      ['b', [['x', 'y']]],
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

describe('samples of the first objects', () => {
  const FACTS = { side: 'source', bucket: 'b', endpoint: 'http://store' }
  const gone = () => new XferError('NO_SUCH_KEY', FACTS)

  /**
   * A source of which nothing is known but what it is asked.
   *
   * @param {object} how
   * @param {(key: string) => any} [how.head] what it tells beside the usual, or an error
   * @param {(key: string) => any} [how.tags]
   * @param {'copy' | 'none'} [how.wish]
   * @param {Record<string, any>} [how.destination] its store
   */
  function setUp({ head = () => ({}), tags = () => [], wish = 'copy', destination = {} } = {}) {
    const asked = { head: [], tags: [] }
    const answer =
      (kind, found, usual = undefined) =>
      async key => {
        asked[kind].push(key)
        const told = found(key)
        if (told instanceof Error) throw told
        return usual ? { ...usual, ...told } : told
      }
    const usual = {
      bytes: 3,
      etag: '"e"',
      lastModifiedMs: 5,
      metadata: { headers: { 'content-type': 'x/y' }, user: {} },
    }
    const store = {
      ...s3Answers(FACTS),
      can: {},
      head: answer('head', head, usual),
      tags: { read: answer('tags', tags) },
    }
    const guess = createGuess()
    const ends = { source: { key: 'p/', store }, destination: { store: destination } }
    const samples = createSamples({ ...ends, settings: { attributes: { tags: wish } } }, guess)
    const first = count => Promise.all(Array.from({ length: count }, (_, i) => samples.first(`n${i}`)))
    return { asked, guess, samples, first }
  }

  test('the tags of twenty are asked for where their store tells no counts, and no more', async () => {
    const { asked, first, samples } = setUp()
    const found = await first(30)
    expect([asked.head.length, asked.tags.length]).toEqual([20, 20])
    expect(found.map(sample => sample?.tags)).toEqual([...Array(20).fill(0), ...Array(10).fill(undefined)])
    expect(samples.defaultTagCount()).toBe(0)
  })

  test('where one has tags and tells of none all are asked, and none before that is known', async () => {
    let answered = () => {}
    const late = new Promise(resolve => {
      answered = resolve
    })
    const { first, samples } = setUp({ tags: key => (key === 'p/n19' ? late.then(() => [['a', 'b']]) : []) })
    let known = false
    const found = first(25).then(all => {
      known = true
      return all
    })
    await new Promise(resolve => setImmediate(resolve))
    expect(known).toBe(false)
    answered()
    expect((await found)[19].tags).toBe(1)
    expect(samples.defaultTagCount()).toBeUndefined()
  })

  test('one that is gone meanwhile says nothing, and another is asked in its place', async () => {
    const { asked, first, samples } = setUp({
      head: key => (key === 'p/n0' ? gone() : {}),
      tags: key => (key === 'p/n20' ? [['a', 'b']] : []),
    })
    await first(20)
    expect(samples.defaultTagCount()).toBe(0)
    expect(await samples.first('n20')).toMatchObject({ tags: 1 })
    expect(await samples.first('n21')).toBeUndefined()
    expect(asked.tags).toHaveLength(20)
    expect(samples.defaultTagCount()).toBeUndefined()
  })
})

describe('room', () => {
  /** What has begun so far. */
  function setUp(most) {
    const room = createRoom(most)
    const begun = []
    const enter = (name, size) => room.enter(size).then(() => begun.push(name))
    const turn = () => new Promise(resolve => setImmediate(resolve))
    return { room, begun, enter, turn }
  }

  test('lets in objects that fit, in order of arrival', async () => {
    const { room, begun, enter, turn } = setUp(3)
    enter('a', 2)
    enter('b', 2)
    enter('c', 1)
    await turn()
    // The small one does not pass the one before it.
    expect(begun).toEqual(['a'])
    room.leave(2)
    await turn()
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  test('an object larger than the whole room is let in alone', async () => {
    const { room, begun, enter, turn } = setUp(3)
    enter('a', 1)
    enter('huge', 100)
    enter('b', 1)
    await turn()
    expect(begun).toEqual(['a'])
    room.leave(1)
    await turn()
    expect(begun).toEqual(['a', 'huge'])
    room.leave(100)
    await turn()
    expect(begun).toEqual(['a', 'huge', 'b'])
  })
})
