'use strict'

/** What is signed for a small object, as far as guesses and samples tell what it is like. */

const { createGuess, createDescriber } = require('../../../../lib/prefix/write/describer')
const { throughEngine } = require('../../../../lib/object')

const { s3Answers } = require('../../../support/s3-answers')

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
  const sums = { sums: [], sent: false, tell: true, evidence: 'none' }
  const how = { known: {}, sums, grant: attributes => attributes, condition: {} }
  const copy = async (name, found = {}) => {
    const end = { ...side, key: name }
    const { error } = await send({ from: end, to: end, emit() {} }, { bytes: 3, etag: '"e"', ...found }, how)
    expect(error).toBeUndefined()
  }
  return { asked, written, guess, copy }
}

test('objects with equal attributes are described once, without a request for tags', async () => {
  const { asked, written, copy } = setUp()
  await copy('a')
  await copy('b')
  expect(asked).toEqual([])
  expect(written).toEqual([
    ['a', undefined],
    ['b', undefined],
  ])
})

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
