'use strict'

/** What the source keeps of itself and what was read do not fit: a part of another size, a damaged source, a passing flip. */

const { cut, uploadParts } = require('../../sandbox/parts')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(15 * MiB)
const EVEN = cut(BODY, 5 * MiB, 5 * MiB)
/** As many, and the first has the same size. */
const UNEVEN = cut(BODY, 5 * MiB, 6 * MiB)
const TWICE = 'Reading the source a second time.'

let source
let destination
let route
beforeAll(async () => {
  ;[source, destination] = await Promise.all([startStore(), startStore()])
  route = await openRoute({ source, destination })
})
afterEach(() => source.faults.clear())
afterAll(async () => {
  route?.close()
  await Promise.all([source?.close(), destination?.close()])
})

const copied = async (key, flags = []) => {
  const { status, last, events } = await route.copy(key, key, flags)
  const notices = events.filter(({ type }) => type === 'notice').map(({ message }) => message)
  const reads = events.filter(({ type }) => type === 'part').length
  return { status, last, notices, reads }
}

it.each([
  ['a composite CRC-32', { checksum: 'COMPOSITE' }],
  ['an ETag', {}],
])('%s of parts of other sizes is no reason to read twice', async (what, options) => {
  await uploadParts(source, 'source', `uneven ${what}`, UNEVEN, options)
  const before = source.requests.GetObject ?? 0
  const { status, last, notices } = await copied(`uneven ${what}`)
  expect({ status, notices, proof: last.proof }).toEqual({ status: 0, notices: [], proof: ['store-crc32'] })
  expect(source.requests.GetObject - before).toBe(3)
})

it.each([
  ['a composite CRC-32', { checksum: 'COMPOSITE' }],
  ['an MD5 ETag', {}],
])(
  'a part that was read wrong is read again and copied again, where there is %s of equal parts',
  async (what, options) => {
    await uploadParts(source, 'source', `flipped ${what}`, EVEN, options)
    const struck = source.faults.add({ operation: 'GetObject', nth: 2, flipByteAt: 1000 })
    const { status, last, notices, reads } = await copied(`flipped ${what}`)
    expect({ status, notices, hits: struck.hits }).toEqual({ status: 0, notices: [TWICE], hits: 1 })
    expect(last.proof).toEqual(expect.arrayContaining(['store-crc32', 'source-read']))
    // One part twice.
    expect(reads).toBe(4)
    source.faults.clear()
    expect((await get(route.to, `flipped ${what}`)).equals(BODY)).toBe(true)
  },
)

it('a damaged source differs from its composite CRC-32: nothing becomes visible', async () => {
  source.faults.add({ operation: 'UploadPart', partNumber: 2, on: 'stored', flipByteAt: 7 })
  await uploadParts(source, 'source', 'damaged', EVEN, { checksum: 'COMPOSITE' })
  const { status, last, notices } = await copied('damaged')
  expect({ status, code: last.code, notices }).toEqual({ status: 8, code: 'INTEGRITY', notices: [TWICE] })
  expect(last.message).toMatch(/keeps the composite CRC-32 \S+-3, and what was read twice has another one/)
  expect(await keysOf(route.to, 'damaged')).toEqual([])
})

it.each([
  ['in parts', async () => uploadParts(source, 'source', 'maybe in parts', EVEN)],
  ['in one piece', async () => put(route.from, 'maybe in one piece', bytesOf(1000))],
])(
  'a source %s that does not fit its ETag may be damaged, and may have no MD5: it is copied, and that is said',
  async (how, write) => {
    source.faults.add({ operation: ['UploadPart', 'PutObject'], on: 'stored', flipByteAt: 7 })
    await write()
    const { status, last, notices } = await copied(`maybe ${how}`)
    expect({ status, proof: last.proof }).toEqual({ status: 0, proof: ['store-crc32', 'source-read'] })
    expect(notices).toEqual([TWICE, expect.stringContaining('or the stored object is damaged')])
  },
)

it('a source that sends other bytes each time is not copied, whatever it keeps', async () => {
  await uploadParts(source, 'source', 'fickle', cut(BODY, 6 * MiB))
  source.faults.add({ operation: 'GetObject', flipByteAt: 5 })
  const { status, last } = await copied('fickle', ['--verify', 'full', '--retries', '0'])
  expect({ status, code: last.code }).toEqual({ status: 8, code: 'INTEGRITY' })
  expect(last.message).toMatch(/sent other bytes each time that it was asked for bytes \d+-\d+/)
  expect(await keysOf(route.to, 'fickle')).toEqual([])
})

it('functions read the source a second time, and the copy back', async () => {
  const platform = await startDeployed()
  const remote = await openRoute({ source, destination, platform })
  try {
    await uploadParts(source, 'source', 'by functions', EVEN)
    await put(remote.from, 'small by functions', bytesOf(1000))
    const struck = source.faults.add({ operation: 'GetObject', nth: 2, flipByteAt: 1000 })
    const { status, last } = await remote.copy('by functions', undefined, ['--verify', 'full'])
    expect({ status, hits: struck.hits }).toEqual({ status: 0, hits: 1 })
    expect(last.proof).toEqual(['store-crc32', 'read-back', 'source-etag', 'source-read'])
    source.faults.clear()
    expect((await get(remote.to, 'by functions')).equals(BODY)).toBe(true)
    // One part, whose MD5 is the object's.
    const small = await remote.copy('small by functions')
    expect(small).toMatchObject({ status: 0, last: { route: 'multipart', proof: ['store-crc32', 'source-md5'] } })
  } finally {
    remote.close()
    await platform.close()
  }
})

/** Finding 4: nothing says that the source's parts are others than ours, so the doubt stays. */
describe.each([
  ['answers a HEAD of a part with that of all', { partNumberHead: 'ignored' }],
  ['refuses a HEAD of a part', { partNumberHead: 501 }],
])('a source that %s', (_, options) => {
  it('is read again where its ETag is not that of what was read', async () => {
    const odd = await startStore({ ...options, serverName: '' })
    const other = await openRoute({ source: odd, destination, buckets: { from: 'source', to: 'target' } })
    try {
      await uploadParts(odd, 'source', 'odd', EVEN)
      odd.faults.add({ operation: 'GetObject', nth: 2, flipByteAt: 1000 })
      const { status, events } = await other.copy('odd')
      expect(status).toBe(0)
      expect(events.map(({ message }) => message)).toContain(TWICE)
      odd.faults.clear()
      expect((await get(other.to, 'odd')).equals(BODY)).toBe(true)
    } finally {
      other.close()
      await odd.close()
    }
  })
})
