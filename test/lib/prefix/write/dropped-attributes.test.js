'use strict'

const { createRefusedTags } = require('../../../../lib/object')
const { XferError } = require('../../../../lib/errors')
const { createDroppedAttributes } = require('../../../../lib/prefix/write/dropped-attributes')

const metadata = { headers: {}, user: {} }
const MD5 = `"${'a'.repeat(32)}"`
const facts = { side: 'destination', bucket: 't', endpoint: 'http://t', terms: { storageClass: 'STANDARD' } }
const NOT_KNOWN = new XferError('STORE_REFUSED', { ...facts, status: 501, storeCode: 'NotImplemented' })

/**
 * @param {(key: string) => any} head what the destination tells of an object, or an error
 * @param {{ known?: boolean, [call: string]: any }} [store]
 */
function setUp(head = () => ({}), { known = true, ...tags } = {}) {
  const asked = []
  const told = []
  const counted = []
  const dropped = createDroppedAttributes({
    notifyOnce: ({ message }) => told.push(message),
    emit: ({ message }) => counted.push(message),
    fallbacks: { whyWithoutTags: () => undefined },
    refusedTags: createRefusedTags(),
    conditional: false,
  })
  const store = {
    facts,
    can: { keepsMetadata: known },
    async head(key) {
      asked.push(key)
      const found = head(key)
      if (found instanceof Error) throw found
      return { etag: MD5, bytes: 1, metadata, ...found }
    },
    tags: {
      read: async () => [],
      write: async () => {
        throw NOT_KNOWN
      },
      ...tags,
    },
    serverCopy: {
      source: object => object,
      object: async () => {
        throw new XferError('COPY_REFUSED', facts)
      },
    },
  }
  const look = (key, attributes, { granted = attributes, ...written } = {}) =>
    dropped.look(
      { store, key, text: `s3://t/${key}` },
      { attributes: { metadata, ...attributes }, granted: { metadata, ...granted } },
      { etag: MD5, proof: ['source-etag'], ...written },
    )
  return { asked, told, counted, dropped, look }
}
const named = (many, name = 'n') => Array.from({ length: many }, (_, i) => `${name}${i}`)

test('what no store drops is not looked at', async () => {
  const { asked, look } = setUp()
  await look('a', {})
  await look('b', { storageClass: 'STANDARD' })
  expect(asked).toEqual([])
})

test('three of a kind are looked at, and what they lack is told', async () => {
  const { asked, told, counted, dropped, look } = setUp()
  for (const key of named(100)) await look(key, { storageClass: 'GLACIER' })
  expect(asked).toEqual(named(3))
  expect(told).toHaveLength(3)
  expect(told[0]).toBe('s3://t/n0 has the storage class STANDARD, because its store ignored GLACIER.')
  expect(dropped.lostBy('s3://t/n99')).toEqual(['class GLACIER'])
  expect(dropped.lostBy('s3://t/n99')).toEqual([])
  dropped.tellAll()
  expect(counted).toEqual(['In all 100 objects are not in the storage class GLACIER, for the reasons above.'])
})

test('of a store that is not known one is looked at now and then', async () => {
  const { asked, told, look } = setUp(() => ({ metadata: { headers: {}, user: { a: '1' } } }), { known: false })
  const user = { a: '1' }
  for (const key of named(1_100)) await look(key, { metadata: { headers: {}, user } })
  expect(asked).toEqual(['n0', 'n1', 'n2', 'n8', 'n16', 'n32', 'n64', 'n128', 'n256', 'n512', 'n1024'])
  expect(told).toEqual([])
})

test('where some lack it and others do not each is looked at', async () => {
  const { asked, dropped, look } = setUp(
    key => ({ metadata: { headers: {}, user: key === 'n1' || key === 'n7' ? {} : { a: '1' } } }),
    { known: false },
  )
  const lost = []
  for (const key of named(20)) {
    await look(key, { metadata: { headers: {}, user: { a: '1' } } })
    if (dropped.lostBy(`s3://t/${key}`).length > 0) lost.push(key)
  }
  expect({ asked: new Set(asked).size, lost }).toEqual({ asked: 20, lost: ['n1', 'n7'] })
})

test('each class, each encryption, tags, and each way of writing are kinds of their own', async () => {
  const { asked, look } = setUp(() => ({ storageClass: 'GLACIER', tags: 1, encryption: { kind: 'AES256' } }))
  for (let i = 0; i < 3; i++) await look(`class ${i}`, { storageClass: 'GLACIER' })
  await look('class', { storageClass: 'GLACIER' })
  await look('other class', { storageClass: 'STANDARD_IA' })
  await look('tags', { tags: [['a', 'b']] })
  await look('encrypted', { encryption: { kind: 'AES256' } })
  // One kind of it is not known well enough yet.
  await look('both', { storageClass: 'GLACIER', tags: [['a', 'b']] })
  await look('in parts', { storageClass: 'GLACIER' }, { way: 'upload' })
  expect(asked.slice(3)).toEqual(['other class', 'tags', 'encrypted', 'both', 'in parts'])
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

test('objects that are written while the first one is looked at wait, and all are mended', async () => {
  /** @type {Map<string, any>} */
  const tags = new Map()
  const { asked, told, dropped, look } = setUp(key => ({ tags: tags.get(key)?.length }), {
    read: async key => tags.get(key) ?? [],
    write: async ({ key, tags: given }) => void tags.set(key, given),
  })
  const wanted = [['a', '1']]
  await Promise.all(named(64).map(key => look(key, { tags: wanted }, { way: 'upload' })))
  expect([...tags.keys()].sort()).toEqual(named(64).sort())
  expect({ told, lost: dropped.lostBy('s3://t/n0') }).toEqual({ told: [], lost: [] })
  expect(asked).toHaveLength(64)
})

test('a repair that the store does not know is tried once', async () => {
  let tried = 0
  const { asked, told, counted, dropped, look } = setUp(() => ({}), {
    write: async () => {
      tried++
      throw NOT_KNOWN
    },
  })
  for (const key of named(50)) await look(key, { tags: [['a', '1']] })
  dropped.tellAll()
  expect({ tried, asked: asked.length }).toEqual({ tried: 1, asked: 3 })
  expect(told[0]).toBe(
    's3://t/n0 is written without the 1 tag of its source, because its store does not take them (NotImplemented); --tags none copies no tags.',
  )
  expect(counted).toEqual(['In all 50 objects are written without their tags, for the reasons above.'])
})

test('one tag that is refused takes no other along, and is not tried again', async () => {
  const written = []
  const INVALID = new XferError('STORE_REFUSED', { ...facts, status: 400, storeCode: 'InvalidTag' })
  const { told, dropped, look } = setUp(() => ({}), {
    read: async () => written.at(-1) ?? [],
    async write({ tags }) {
      if (tags.some(([key]) => key === 'owner')) throw INVALID
      written.push(tags)
    },
  })
  const all = [
    ['a', '1'],
    ['owner', 'me'],
    ['b', '2'],
  ]
  const rest = all.filter(([key]) => key !== 'owner')
  await look('x', { tags: all }, { granted: {} })
  expect(written.at(-1)).toEqual(rest)
  expect(told).toEqual([
    's3://t/x is written without the tag owner of its source, because its store does not take them (InvalidTag); --tags none copies no tags.',
  ])
  const before = written.length
  // What others are granted is without it; there is nothing to mend.
  for (const key of named(50)) await look(key, { tags: all }, { granted: { tags: rest } })
  expect(written).toHaveLength(before)
  expect(dropped.lostBy('s3://t/n49')).toEqual(['tags'])
})
