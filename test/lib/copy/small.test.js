'use strict'

/** What the answers leave open of an object that was written, and what is asked for then. */

const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const { XferError } = require('../../../lib/errors')
const { createProver, stepAfter } = require('../../../lib/copy/prove')
const { byStore } = require('../../../lib/copy/by-store')
const { throughEngine } = require('../../../lib/copy/through-engine')
const { compositeCrc32, weighWritten } = require('../../../lib/integrity')
const { startStore } = require('../../../sandbox/store')
const { NO_METADATA, createRiggedStore, errorOf } = require('../../support/rigged-store')
const { bytesOf, get, openStore, put } = require('../../support/s3')

const BODY = bytesOf(20)
const md5Of = bytes => createHash('md5').update(bytes).digest('hex')

let server
let store
beforeAll(async () => {
  server = await startStore({ buckets: ['bucket'] })
  store = openStore(server, 'bucket')
})
afterAll(async () => {
  store?.close()
  await server?.close()
})

test('a list that is late, and tells the size of what was there before, does not make a copy a wrong one', async () => {
  const etag = await put(store, 'key', BODY)
  const prover = createProver({
    job: { settings: { verify: 'size', proved: false }, trust: { put: () => true }, run: {} },
    via: {
      reader: {},
      weigh: async (_, { told }, { bytes }) => weighWritten({ bytes: BODY.length, sums: {} }, { ...told, bytes }),
      asks: () => false,
    },
    single: false,
    looks: { of: async () => 'other', oneByOne: ask => ask(), headed() {} },
  })
  const source = { bytes: BODY.length, etag: '"of the source"' }
  const order = { to: { store, key: 'key', text: 's3://bucket/key' }, source, emit() {} }
  const attempt = { source, outcome: { bytes: BODY.length, etag }, told: { etag }, notices: [] }
  for (let object = 1; object <= 2; object++) {
    const done = await prover.prove(order, attempt, {
      expected: { known: {}, proofs: [] },
      lastTry: true,
    })
    expect(done).toMatchObject({ etag, proof: ['size'] })
  }
  expect((await get(store, 'key')).equals(BODY)).toBe(true)
})

test.each([
  [
    'does not fit the checksum of its source is known to be wrong',
    { etag: '"opaque"', composite: { crc32: `${compositeCrc32(['00000001'])}-1` } },
    { code: 'WRONG_COPY', message: expect.stringContaining('nothing is there now') },
    'NO_SUCH_KEY',
  ],
  [
    'does not fit the ETag of its source, which may be no MD5, is not proved, and stays',
    { etag: `"${'0'.repeat(32)}"` },
    { code: 'NOT_PROVED' },
    BODY.toString(),
  ],
])('what %s, where the source cannot be read again', async (_, kept, error, there) => {
  const etag = await put(store, 'read wrong', BODY)
  const noted = []
  const prover = createProver({
    job: { settings: { verify: 'auto', proved: true }, trust: { put: () => true }, run: {} },
    via: {
      reader: {
        job: { engine: {}, settings: {}, run: {} },
        reading() {},
        async schedule() {
          throw new XferError('SOURCE_CHANGED', {})
        },
      },
    },
    single: false,
  })
  const source = { bytes: BODY.length, ...kept }
  const to = { store, key: 'read wrong', text: 's3://bucket/read wrong' }
  const outcome = {
    bytes: BODY.length,
    etag,
    sums: { crc32: crc32(BODY).toString(16).padStart(8, '0'), md5: etag.replaceAll('"', '') },
  }
  const proving = prover.prove(
    { to, from: to, source, emit() {}, unproved: () => noted.push('unproved') },
    { source, outcome, told: { etag }, notices: [] },
    { expected: { known: {}, proofs: [] }, lastTry: false },
  )
  await expect(proving).rejects.toMatchObject(error)
  expect(noted).toEqual(['unproved'])
  expect(await get(store, 'read wrong').then(String, ({ code }) => code)).toBe(there)
})

test.each([
  ['sent, to a store that checks it, proves a write', true, true, true],
  ['sent, to a store that may not check it, proves nothing', true, false, false],
  ['not sent, proves nothing of a store that checks them', false, true, false],
])('a checksum that was %s', async (_, checksum, checks, checked) => {
  const asked = []
  const prover = createProver({
    job: { settings: { verify: 'size', proved: false }, trust: { put: () => checks }, run: {} },
    via: {
      reader: {},
      async weigh(_order, _attempt, how) {
        asked.push(how.checked)
        return { verdict: 'proved', proofs: ['size'] }
      },
      asks: () => false,
    },
    single: false,
    looks: { of: async () => undefined, oneByOne: ask => ask(), headed() {} },
  })
  const source = { bytes: BODY.length, etag: '"of the source"' }
  const order = { to: { store, key: 'key', text: 's3://bucket/key' }, source, emit() {} }
  const attempt = { source, checksum, outcome: { bytes: BODY.length, etag: '"e"' }, told: { etag: '"e"' }, notices: [] }
  await prover.prove(order, attempt, { expected: { known: {}, proofs: [] }, lastTry: true })
  expect(asked).toEqual([checked])
})

test.each([
  ['may run twice, so what is there may be its own', { once: false }, true],
  ['runs once, so what is there is not its own', { once: true }, false],
])('a conditional write that finds something there was sent by an engine that %s', async (_, can, open) => {
  const rigged = createRiggedStore().open()
  const settings = { proved: false, attributes: { given: { headers: {}, user: {} } } }
  const side = { store: rigged, key: 'key' }
  const via = throughEngine({
    job: { source: side, destination: side, settings, trust: { put: () => false }, engine: { can }, run: {} },
    describer: { describe: async () => ({ attributes: { metadata: NO_METADATA }, notices: [], encrypted: false }) },
    reader: {},
    async schedule([part], { sign, explain }) {
      await sign(part)
      throw explain({ side: 'write', known: errorOf('DESTINATION_EXISTS', { status: 412 }) })
    },
  })
  const source = { bytes: 3, etag: '"of the source"', headers: {} }
  const plan = () => ({ sums: [], sent: false })
  const order = { from: side, to: side, source, emit() {} }
  const failed = await via.send(order, source, { known: {}, plan, condition: { ifNoneMatch: true } })
  expect({ code: failed.error.code, open: failed.open }).toEqual({ code: 'DESTINATION_EXISTS', open })
})

test.each([
  ['the checksum of its source proves it', { md5: md5Of(BODY) }, 1],
  ['nothing is known of its source', {}, 0],
  ['it is another one', { md5: md5Of('another') }, 0],
])('what is there after a lost answer counts where %s', async (_, known, count) => {
  const settings = { proved: true, attributes: { given: { headers: {}, user: {} } } }
  const side = { store, key: 'after a lost answer' }
  const found = []
  const via = throughEngine({
    job: { source: side, destination: side, settings, trust: { put: () => false }, engine: { can: {} }, run: {} },
    describer: { describe: async () => ({ attributes: { metadata: NO_METADATA }, notices: [], encrypted: false }) },
    reader: {},
    async schedule([part], { sign, settle }) {
      await sign(part)
      await put(store, side.key, BODY)
      found.push(...(await settle([part])))
      throw errorOf('STORE_UNREACHABLE')
    },
  })
  const source = { bytes: BODY.length, etag: '"of the source"', headers: {} }
  const plan = () => ({ sums: [], sent: false })
  await via.send({ from: side, to: side, source, emit() {} }, source, { known, plan, condition: {} })
  expect(found).toMatchObject(Array(count).fill({ bytes: BODY.length, sums: known }))
})

// An engine reads, and the copy is to be proved, unless a row says otherwise.
test.each([
  ['proved', {}, 'done'],
  ['proved', { full: true }, 'read-back'],
  ['proved', { full: true, readable: false }, 'done'],
  ['unproved', {}, 'read-back'],
  ['unproved', { readable: false }, 'not-proved'],
  ['unproved', { proved: false }, 'done'],
  ['unproved', { proved: false, readable: false }, 'done'],
  ['contradicted', {}, 'read-back'],
  ['contradicted', { missing: true }, 'wrong'],
  ['contradicted', { proved: false }, 'wrong'],
  ['contradicted', { readable: false }, 'not-the-copy'],
])('what is %s (%j) is %s', (verdict, how, step) => {
  expect(stepAfter(verdict, { missing: false, readable: true, proved: true, full: false, ...how })).toBe(step)
})

test('an object of somebody else that is read back is left alone, though its size is right', async () => {
  const others = bytesOf(BODY.length, 'others')
  const etag = await put(store, 'of others', others)
  const told = { etag: '"of the answer"' }
  const reader = {
    job: { engine: {}, settings: {}, run: {} },
    reading() {},
    async schedule([part], { sign }) {
      const { read } = await sign(part)
      if (read.headers['if-match'] === told.etag) throw new XferError('OBJECT_CHANGED', {})
      return [{ ...part, sums: { crc32: crc32(others).toString(16).padStart(8, '0') } }]
    },
  }
  const prover = createProver({
    job: { settings: { verify: 'auto', proved: true }, trust: { put: () => false }, run: {} },
    via: { reader, asks: () => true, weigh: async () => ({ verdict: 'unproved', proofs: [] }) },
    single: true,
  })
  const to = { store, key: 'of others', text: 's3://bucket/of others' }
  const outcome = { bytes: BODY.length, etag: told.etag, sums: { crc32: '00000000' } }
  const source = { bytes: BODY.length, etag: '"opaque"' }
  const proving = prover.prove(
    { to, from: to, source, emit() {} },
    { source, outcome, told, notices: [] },
    { expected: { known: {}, proofs: [] }, lastTry: true },
  )
  await expect(proving).rejects.toMatchObject({ code: 'OBJECT_CHANGED' })
  expect((await store.head('of others')).etag).toBe(etag)
})

test('a store that copies by itself is asked for the source as it was found, and for no other', async () => {
  const asked = []
  const side = { key: 'key', store: { ...createRiggedStore().open(), serverCopy: { source: found => found } } }
  const settings = { proved: true, attributes: { metadata: 'copy', tags: 'none', given: NO_METADATA }, condition: {} }
  const via = byStore({
    job: { source: side, destination: side, settings, trust: {}, run: {} },
    attributesOf: async () => ({ attributes: { metadata: NO_METADATA }, notices: [] }),
    async schedule([part], { sign }) {
      asked.push((await sign(part)).copy.object.from)
      throw errorOf('STORE_REFUSED')
    },
  })
  const source = { bytes: 3, etag: '"of the source"' }
  await via.send({ from: { ...side, versionId: 'v' }, to: side, source, emit() {} }, source)
  expect(asked).toEqual([{ key: 'key', etag: source.etag, versionId: 'v' }])
})
