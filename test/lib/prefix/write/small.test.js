'use strict'

/** What a destination does not take is found out from what it refuses and takes, of many objects at once. */

const { setImmediate: turn } = require('node:timers/promises')
const { XferError } = require('../../../../lib/errors')
const { createFallbacks } = require('../../../../lib/object')
const { createSmall } = require('../../../../lib/prefix/write/small')
const { readAttributes } = require('../../../../lib/options')

const { s3Answers } = require('../../../support/s3-answers')

const NAMES = Array.from({ length: 120 }, (_, i) => `n${i}`)
const MD5 = 'a'.repeat(32)
const DENIED = { status: 403, storeCode: 'AccessDenied' }
const UNKNOWN = { status: 501, storeCode: 'NotImplemented' }
const INVALID = { status: 400, storeCode: 'InvalidTag' }

/**
 * All objects have tags, and go to a destination that is played here: no byte is moved.
 *
 * @param {(sent: { checksum: boolean, tags: boolean, condition: boolean }) => object | undefined} refuses
 */
async function copyAll(refuses, { ignoreExisting = false, atOnce = 6 } = {}) {
  const told = []
  let begun = 0
  /** By name, what each write was sent with. @type {Record<string, string[]>} */
  const sent = Object.fromEntries(NAMES.map(name => [name, []]))
  const facts = { side: 'destination', bucket: 'b', endpoint: 'http://store' }
  const description = { metadata: { headers: {}, user: {} }, tags: 1 }
  const can = { sumAt: 'trailer', partTag: 'md5', sums: { stored: [], checked: [], answered: [] } }
  const source = {
    ...{ facts, can },
    head: async () => ({ bytes: 3, etag: '"opaque-etag"', lastModifiedMs: 0, ...description }),
    tags: { read: async () => [['a', '1']] },
    read: async () => ({ request: {} }),
    ...s3Answers(facts),
  }
  const destination = {
    ...{ facts, can },
    async head() {
      throw new XferError('NO_SUCH_KEY', facts)
    },
    put: async write => ({ request: write }),
    ...s3Answers(facts),
  }
  const settings = {
    verify: 'auto',
    proved: true,
    retries: 0,
    attributes: readAttributes({}),
    condition: ignoreExisting ? { ifNoneMatch: true } : {},
  }
  const emit = ({ message }) => told.push(message)
  const notifyOnce = ({ message }) => told.push(message)
  const small = createSmall({
    job: {
      engine: { can: { once: true } },
      trust: { known: async () => true, put: () => true },
      source: { store: source, key: '', text: 's3://a/', settings: {} },
      destination: { store: destination, key: '', text: 's3://b/', settings: {} },
      ...{ settings: { ...settings, chunkBytes: 1024 }, run: { emit } },
    },
    selection: { ignoreExisting },
    async scheduleOne(bytes, how) {
      if (++begun % 5 === 0) await turns(20)
      const { write } = await how.sign({ partNumber: 1, start: 0, bytes })
      const { checksum, attributes, condition } = write
      const with_ = { checksum, tags: attributes.tags !== undefined, condition: condition.ifNoneMatch === true }
      const log = sent[write.key]
      log.push(
        Object.keys(with_)
          .filter(name => with_[name])
          .join(' '),
      )
      // What others have learnt meanwhile some learn only with their first answer, or when their second attempt begins.
      await turns(log.length === 1 && Number(write.key.slice(1)) % 3 === 1 ? 20 : 2)
      const refused = refuses(with_)
      if (refused) throw how.explain({ code: 'HTTP_STATUS', side: 'write', message: 'It says no.', ...refused })
      // It keeps what it is sent: its ETag is the MD5.
      return {
        partNumber: 1,
        bytes,
        etag: `"${MD5}"`,
        sums: { crc32: '00000001', md5: MD5 },
        headers: { read: {}, write: {} },
      }
    },
    notifyOnce,
    fallbacks: createFallbacks({ wish: settings.attributes, notifyOnce, emit }),
    dropped: { look: async () => {} },
  })
  const left = NAMES.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const name of left) await small.copy({ name, source: { bytes: 3, etag: '"opaque-etag"' }, restart() {} })
    }),
  )
  const writes = Object.values(sent)
  return { sent, told, last: writes.slice(-20), finally: new Set(writes.map(each => each.at(-1))) }
}

/** @param {number} many of the event loop */
async function turns(many) {
  for (let left = many; left > 0; left--) await turn()
}

const all = (writes, expected) => expect(writes).toEqual(writes.map(() => expected))

test('tags that a store does not know cost nobody the checksum once that is known', async () => {
  const { last, told } = await copyAll(({ tags }) => tags && UNKNOWN)
  all(last, ['checksum'])
  // What became of the tags is told by whoever looks (dropped-attributes.js).
  expect(told).toEqual([])
})

test('neither do tags that it refuses for each object', async () => {
  const { last, finally: ends } = await copyAll(({ tags }) => tags && INVALID)
  all(last, ['checksum tags', 'checksum'])
  expect([...ends]).toEqual(['checksum'])
})

test('a store that knows no checksum is not asked again, though nobody may write tags', async () => {
  const { last, finally: ends } = await copyAll(({ checksum, tags }) => (checksum ? UNKNOWN : tags && DENIED))
  all(last, ['tags', ''])
  expect([...ends]).toEqual([''])
})

test('with everything taken nothing is left out', async () => {
  const { last, told } = await copyAll(() => undefined)
  all(last, ['checksum tags'])
  expect(told).toEqual([])
})

describe('with a condition', () => {
  const ignoreExisting = true

  test('tags that a store does not know cost nobody that once that is known', async () => {
    const { last, told } = await copyAll(({ tags }) => tags && UNKNOWN, { ignoreExisting })
    all(last, ['checksum condition'])
    // What became of the tags is told by whoever looks (dropped-attributes.js).
    expect(told).toEqual([])
  })

  test('that the store does not know, this is reported, and each object is checked first', async () => {
    const { last, told } = await copyAll(({ condition }) => condition && UNKNOWN, { ignoreExisting })
    all(last, ['checksum tags'])
    expect(told).toEqual([expect.stringContaining('does not support conditional writes')])
  })

  test('that is unknown, together with checksum and tags, all are left out', async () => {
    const nothing = ({ checksum, condition, tags }) => (checksum || condition || tags) && UNKNOWN
    const { last, finally: ends } = await copyAll(nothing, { ignoreExisting })
    all(last, [''])
    expect([...ends]).toEqual([''])
  })
})
