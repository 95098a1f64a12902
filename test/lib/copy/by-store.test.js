'use strict'

/** One request to a store that copies an object by itself: what it says, and what follows an error. */

const { byStore } = require('../../../lib/copy/by-store')
const { XferError } = require('../../../lib/errors')
const { NO_METADATA, createRiggedStore, errorOf } = require('../../support/rigged-store')

const TAG = `"${'0'.repeat(32)}"`
const SOURCE = { bytes: 4, etag: TAG, metadata: NO_METADATA }
const denied = () => new XferError('COPY_REFUSED', { reason: 'why' }, { cause: errorOf('ACCESS_DENIED') })

/** @param {object} how errors: those of the requests, in their order; there: what the destination has; now: what the source is by then */
function open({ wish, settings, errors = [], copies, there, now = SOURCE, before = {} } = {}) {
  const asked = []
  const settled = []
  const rigged = createRiggedStore()
  if (there) rigged.put('to', there.text ?? 'text', there.ms ?? 1, there.etag)
  const store = { ...rigged.open(), serverCopy: { source: found => found, ...copies } }
  const from = { ...store, head: async () => now ?? Promise.reject(errorOf('NO_SUCH_KEY')) }
  const attributes = { metadata: 'copy', tags: 'none', given: NO_METADATA, ...wish }
  const job = {
    source: { store: from, key: 'from', versionId: 'v', text: 's3://bucket/from' },
    destination: { store, key: 'to', text: 's3://bucket/to' },
    settings: { proved: true, attributes, condition: {}, ...settings },
    trust: { put: () => false },
    run: {},
  }
  const via = byStore({
    job,
    attributesOf: async () => ({ attributes: { metadata: NO_METADATA }, notices: [] }),
    async schedule([part], { sign, explain, settle }) {
      asked.push((await sign(part)).copy.object)
      const error = errors.shift()
      if (error) {
        settled.push(...((await settle?.([part])) ?? []))
        throw explain({ side: 'write', known: error })
      }
      return [{ partNumber: 1, bytes: 4, etag: TAG, object: { etag: TAG } }]
    },
  })
  const order = { from: job.source, to: job.destination, source: SOURCE, before, emit() {} }
  return { via, asked, settled, send: (source = SOURCE) => via.send(order, source) }
}

test('a store that copies by itself is asked for the source as it was found, and for no other', async () => {
  const { asked, send } = open()
  await send()
  expect(asked).toMatchObject([{ from: { key: 'from', etag: TAG, versionId: 'v' }, key: 'to' }])
})

test('what the answer tells is no proof of another object that shows', async () => {
  const { via, send } = open()
  const source = { ...SOURCE, sums: { crc32: '00000000' } }
  const sent = { ...(await send(source)), told: { etag: TAG, sums: source.sums } }
  const weigh = etag => via.weigh({}, sent, { stored: { bytes: 4, etag }, bytes: 4 })
  expect(await weigh(TAG)).toMatchObject({ verdict: 'proved', proofs: ['stored-crc32', 'source-etag'] })
  expect(await weigh(TAG.replaceAll('0', '1'))).toMatchObject({ verdict: 'contradicted' })
})

const given = { headers: {}, user: { a: 'b' } }
const expires = { ...SOURCE, metadata: { headers: { expires: 'soon' }, user: {} } }
test.each([
  ['keeps its metadata', {}, SOURCE, 'metadata'],
  ['keeps its metadata and tags', { wish: { tags: 'copy' } }, SOURCE, 'metadata,tags'],
  ['gets none', { wish: { metadata: 'none' } }, SOURCE, ''],
  ['gets some anew', { wish: { given } }, SOURCE, ''],
  ['gets its time', { wish: { mtime: true } }, SOURCE, ''],
  ['is changed in place', { settings: { inPlace: true } }, SOURCE, ''],
  ['would lose its expiry', {}, expires, ''],
  ['would keep its expiry', { copies: { keepsExpires: true } }, expires, 'metadata'],
  ['is compared by a checksum', {}, { ...SOURCE, sums: { crc32c: 'aaaaaaaa', md5: 'b' } }, 'metadata,crc32c'],
  ['is not proved', { settings: { proved: false } }, { ...SOURCE, sums: { crc32c: 'aaaaaaaa' } }, 'metadata'],
])('a copy by its store %s', async (_, how, source, expected) => {
  const { asked, send } = open(how)
  await send(source)
  const [{ keep, checksum }] = asked
  expect([...Object.keys(keep).filter(name => keep[name]), ...(checksum ? [checksum] : [])].join()).toBe(expected)
})

test.each([
  ['are sent instead, and for the next object at once', [denied()], [true, false, false]],
  ['are asked for again, if without them it fails as well', [denied(), denied()], [true, false, true]],
])('tags that the store may not copy %s', async (_, errors, tags) => {
  const { asked, send } = open({ wish: { tags: 'copy' }, errors })
  await send()
  await send()
  expect(asked.map(({ keep }) => keep.tags)).toEqual(tags)
})

const LOST = 'STORE_UNREACHABLE'
const COPIED = { there: { etag: TAG } }
const other = { ...SOURCE, etag: '"other"' }
const unchanged = { object: { etag: TAG, lastModifiedMs: 1 } }
test.each([
  ['a failed condition', 'DESTINATION_EXISTS', {}, 'DESTINATION_EXISTS 0'],
  ['a failed condition of a source that was replaced', 'DESTINATION_EXISTS', { now: other }, 'SOURCE_CHANGED 0'],
  ['a failed condition of a source that is gone', 'DESTINATION_EXISTS', { now: null }, 'SOURCE_CHANGED 0'],
  ['another error', 'ACCESS_DENIED', { now: other }, 'ACCESS_DENIED 0'],
  ['a lost answer', LOST, {}, `${LOST} uncertain open 0`],
  ['a lost answer, and the copy is there', LOST, COPIED, `${LOST} uncertain open 1`],
  ['a lost answer, and it was there before', LOST, { ...COPIED, before: unchanged }, `${LOST} uncertain open 0`],
  ['a lost answer, and another one is there', LOST, { there: { text: 'texts' } }, `${LOST} uncertain open 0`],
  ['a lost answer, and nothing tells what is there', LOST, { there: { etag: '"opaque"' } }, `${LOST} uncertain open 0`],
])('a copy by its store ends with %s', async (_, code, how, expected) => {
  const { send, settled } = open({ ...how, errors: [errorOf(code, { reason: 'ECONNRESET' })] })
  const { error, open: isOpen } = await send()
  const words = [error.code, error.facts.uncertain && 'uncertain', isOpen && 'open', settled.length]
  expect(words.filter(word => word !== undefined && word !== false).join(' ')).toBe(expected)
})

test.each([
  ['is not: its list tells enough', {}, SOURCE, false],
  ['is, for its expiry', { copies: {} }, SOURCE, true],
  ['is, for its time', { wish: { mtime: true } }, SOURCE, true],
  ['is, to send its metadata with others', { wish: { given } }, SOURCE, true],
  ['is, if its ETag proves nothing', {}, { ...SOURCE, etag: '"opaque"' }, true],
  ['is, if its ETag is of parts', {}, { ...SOURCE, etag: TAG.replace(/"$/, '-2"') }, true],
  ['is not, if nothing is to be proved', { settings: { proved: false } }, { ...SOURCE, etag: '"opaque"' }, false],
  ['is, if it has no ETag', { settings: { proved: false } }, { ...SOURCE, etag: '' }, true],
])('a source that its store copies is looked at before: it %s', (_, how, source, expected) => {
  const { via } = open({ copies: { keepsExpires: true }, ...how })
  expect(via.asksFirst(source)).toBe(expected)
})
