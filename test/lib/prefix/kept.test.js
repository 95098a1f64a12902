'use strict'

const { createKept } = require('../../../lib/prefix/kept')

const metadata = { headers: {}, user: {} }

/** @param {(key: string) => any} head what the destination tells of an object, or an error */
function setUp(head = () => ({})) {
  const asked = []
  const told = []
  const kept = createKept((notice, key) => told.push([notice, key]))
  const store = {
    async head(key) {
      asked.push(key)
      const found = head(key)
      if (found instanceof Error) throw found
      return { etag: '"e"', ...found }
    },
    tags: async () => [],
  }
  const look = (key, attributes) =>
    kept.look({ store, key, text: `s3://t/${key}` }, { metadata, ...attributes }, { etag: '"e"' })
  return { asked, told, look }
}

test('what no store drops is not looked at', async () => {
  const { asked, look } = setUp()
  await look('a', {})
  await look('b', { storageClass: 'STANDARD' })
  expect(asked).toEqual([])
})

test('three of a kind are looked at, and what they lack is told', async () => {
  const { asked, told, look } = setUp()
  for (const key of ['a', 'b', 'c', 'd', 'e']) await look(key, { storageClass: 'GLACIER' })
  expect(asked).toEqual(['a', 'b', 'c'])
  expect(told).toHaveLength(3)
  expect(told[0]).toEqual(['s3://t/a has the storage class STANDARD, for its store did not heed GLACIER.', 's3://t/a'])
})

test('each class, each encryption and tags are kinds of their own', async () => {
  const { asked, look } = setUp(() => ({ storageClass: 'GLACIER', tags: 1, encryption: { kind: 'AES256' } }))
  for (let i = 0; i < 3; i++) await look(`class ${i}`, { storageClass: 'GLACIER' })
  await look('class', { storageClass: 'GLACIER' })
  await look('other class', { storageClass: 'STANDARD_IA' })
  await look('tags', { tags: [['a', 'b']] })
  await look('encrypted', { encryption: { kind: 'AES256' } })
  // One kind of it is not known well enough yet.
  await look('both', { storageClass: 'GLACIER', tags: [['a', 'b']] })
  expect(asked.slice(3)).toEqual(['other class', 'tags', 'encrypted', 'both'])
})

test('what was kept is not told of, nor what cannot be looked at', async () => {
  const all = { storageClass: 'GLACIER', tags: [['a', 'b']] }
  const good = setUp(() => ({ storageClass: 'GLACIER', tags: 1 }))
  await good.look('a', all)
  const denied = setUp(() => new Error('denied'))
  await denied.look('a', all)
  const other = setUp(() => ({ etag: '"another"' }))
  await other.look('a', all)
  expect([good, denied, other].flatMap(({ told }) => told)).toEqual([])
  expect([good, denied, other].map(({ asked }) => asked.length)).toEqual([1, 1, 1])
})
