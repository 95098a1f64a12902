'use strict'

/** Copies that a store makes by itself: no byte is read, and where the store refuses, the engine does it. */

const { startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { counted: countRequests } = require('../support/requests')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2

const SMALL = bytesOf(100_000)
const BIG = bytesOf(11 * MiB)

let server
let route
beforeAll(async () => {
  server = await startStore()
  route = await openRoute({ source: server })
  await put(route.from, 'small', SMALL, { user: { color: 'blue' }, headers: { 'content-type': 'a/b' } })
  await put(route.from, 'big', BIG)
  await put(route.from, 'empty', Buffer.alloc(0))
})
afterEach(() => server.faults.clear())

/** @param {() => Promise<any>} work */
async function counted(work) {
  const { result, asked } = await countRequests(server, work)
  // The check asks for uploads that are left.
  const { ListMultipartUploads, ...others } = asked
  return { result, asked: others }
}

/** @param {string} key @param {string[]} [flags] @param {string} [target] */
const copy = (key, flags = [], target = key) => route.copy(key, target, ['--route', 'auto', ...flags])
const isCopied = async (key, body) => (await get(route.to, key)).equals(body)

it('parts are copied by the store, and no byte is read', async () => {
  const { result, asked } = await counted(() => copy('big', [], 'parts'))
  expect(result.last).toMatchObject({ engine: 'server', route: 'multipart', parts: 3, invocations: 3 })
  expect(asked).toEqual({
    // The source, and the last look.
    HeadObject: 2,
    GetObjectTagging: 1,
    // Its answer names the server: what it checks is known by its name.
    ListObjectsV2: 1,
    CreateMultipartUpload: 1,
    UploadPartCopy: 3,
    CompleteMultipartUpload: 1,
  })
  expect(await isCopied('parts', BIG)).toBe(true)
  expect(
    result.events
      .filter(({ type }) => type === 'part')
      .map(({ bytes }) => bytes)
      .sort(),
  ).toEqual([5 * MiB, 5 * MiB, 1 * MiB].sort())
})

describe('a store that refuses', () => {
  it('half-way keeps what it copied, and the engine does the rest', async () => {
    server.faults.add({ operation: 'UploadPartCopy', partNumber: 3, status: 403 })
    const flags = ['--concurrency', '1', '--on-failure', 'keep']
    const { result, asked } = await counted(() => copy('big', flags, 'half'))
    expect(result).toMatchObject({ status: 0, last: { engine: 'local', resumedBytes: 10 * MiB } })
    expect([asked.UploadPartCopy, asked.UploadPart, asked.CreateMultipartUpload]).toEqual([3, 1, 1])
    expect(await isCopied('half', BIG)).toBe(true)
  })
})
