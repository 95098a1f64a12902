'use strict'

const { XferError } = require('../../../../lib/errors')
const { createGuess, createSamples } = require('../../../../lib/prefix/write/describer')

const { s3Answers } = require('../../../support/s3-answers')

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
  const usual = { bytes: 3, etag: '"e"', lastModifiedMs: 5, metadata: { headers: { 'content-type': 'x/y' }, user: {} } }
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

test('where no tags are wanted one object is asked what it is like', async () => {
  const { asked, first, guess, samples } = setUp({ wish: 'none' })
  const [one, ...others] = await first(5)
  expect(one).toEqual({ bytes: 3, etag: '"e"', lastModifiedMs: 5, headers: { 'content-type': 'x/y' } })
  expect(others).toEqual([undefined, undefined, undefined, undefined])
  expect(asked).toEqual({ head: ['p/n0'], tags: [] })
  expect(guess.headers('any')).toBe(one.headers)
  expect(samples.defaultTagCount()).toBe(0)
})

test('tags are not asked for where the copies keep nothing but their times', async () => {
  const { asked, first, samples } = setUp({ destination: { setTime: async () => '"e"' } })
  const [one] = await first(30)
  expect(one).not.toHaveProperty('tags')
  expect(asked).toEqual({ head: ['p/n0'], tags: [] })
  expect(samples.defaultTagCount()).toBe(0)
})

test('the tags of twenty are asked for where their store tells no counts, and no more', async () => {
  const { asked, first, samples } = setUp()
  const found = await first(30)
  expect([asked.head.length, asked.tags.length]).toEqual([20, 20])
  expect(found.map(sample => sample?.tags)).toEqual([...Array(20).fill(0), ...Array(10).fill(undefined)])
  expect(samples.defaultTagCount()).toBe(0)
})

test('a store that tells how many there are is not asked for them', async () => {
  const { asked, first, samples } = setUp({ head: () => ({ tags: 2 }) })
  const [one] = await first(1)
  expect(one.headers).toEqual({ 'content-type': 'x/y', 'x-amz-tagging-count': '2' })
  expect(asked.tags).toEqual([])
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

test('if no sample can be read, sampling is given up', async () => {
  const { asked, samples } = setUp({ head: gone })
  for (let i = 0; i < 300; i++) expect(await samples.first(`n${i}`)).toBeUndefined()
  expect(asked.head).toHaveLength(120)
})

test('tags that may not be read are left for whoever copies the object to ask for, and to tell', async () => {
  const { first } = setUp({ tags: () => new XferError('ACCESS_DENIED', FACTS) })
  const [one] = await first(1)
  expect(one).toHaveProperty('tags', undefined)
})

test('an object is asked for as often as somebody wants, and what fails is told', async () => {
  const { samples } = setUp({ head: gone })
  await expect(samples.ask('a')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
})
