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

describe('one request', () => {
  it.each([[[]], [['-r', '--content-type', 'c/d']]])(
    'is right where only the checksum of its answer is wrong (%j)',
    async flags => {
      await put(route.from, 'summed/key', SMALL, { checksum: true })
      const rule = server.faults.add({ operation: 'CopyObject', copySum: 'AAAAAA==' })
      const [key, target] = flags.length > 0 ? ['summed/', 'told below/'] : ['summed/key', 'told/key']
      const result = await copy(key, flags, target)
      expect({ status: result.status, hits: rule.hits, notices: noticesOf(result) }).toEqual({
        status: 0,
        hits: 1,
        notices: [],
      })
      expect(await isCopied(flags.length > 0 ? `${target}key` : target, SMALL)).toBe(true)
    },
  )

  it('is conditional where the destination’s completion is: an upload of one part', async () => {
    const { result, asked } = await counted(() => copy('small', ['--no-clobber'], 'kept'))
    expect(result.last).toMatchObject({ engine: 'server', route: 'multipart', condition: 'atomic' })
    expect([asked.CopyObject, asked.UploadPartCopy]).toEqual([undefined, 1])
    expect(await copy('small', ['--no-clobber'], 'kept')).toMatchObject({
      status: 7,
      last: { code: 'DESTINATION_EXISTS' },
    })
    const { etag } = await route.to.head('kept')
    const replaced = await copy('big', ['--if-match', etag], 'kept')
    expect(replaced).toMatchObject({ status: 0, last: { engine: 'server', condition: 'atomic' } })
    expect(await copy('small', ['--if-match', etag], 'kept')).toMatchObject({ status: 7 })
    expect(await copy('empty', ['--no-clobber'], 'kept empty')).toMatchObject({
      status: 0,
      last: { condition: 'checked' },
    })
    expect(await copy('empty', ['--no-clobber'], 'kept empty')).toMatchObject({ status: 7 })
  })
})

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

const noticesOf = ({ events }) => events.filter(({ type }) => type === 'notice').map(({ message }) => message)
const enginesOf = ({ events }) => events.filter(({ type }) => type === 'plan').map(({ engine }) => engine)

describe('a store that refuses', () => {
  const REFUSALS = [
    { status: 501, code: 'NotImplemented' },
    { errorInBody: true, code: 'AccessDenied' },
  ]
  it.each(REFUSALS)('(%j) is told, and the engine copies', async fault => {
    server.faults.add({ operation: 'CopyObject', ...fault })
    server.faults.add({ operation: 'UploadPartCopy', ...fault })
    for (const [key, body] of [
      ['small', SMALL],
      ['big', BIG],
    ]) {
      const target = `${key} ${JSON.stringify(fault)}`
      const run = await copy(key, [], target)
      expect({ status: run.status, engine: run.last.engine }).toEqual({ status: 0, engine: 'local' })
      expect(enginesOf(run)).toEqual(['server', 'local'])
      expect(noticesOf(run)).toContainEqual(
        expect.stringMatching(
          /^The store does not copy this by itself \(.*\)\. The bytes go through the local engine\.$/,
        ),
      )
      expect(await isCopied(target, body)).toBe(true)
    }
  })

  it('half-way keeps what it copied, and the engine does the rest', async () => {
    server.faults.add({ operation: 'UploadPartCopy', partNumber: 3, status: 403 })
    const flags = ['--concurrency', '1', '--on-failure', 'keep']
    const { result, asked } = await counted(() => copy('big', flags, 'half'))
    expect(result).toMatchObject({ status: 0, last: { engine: 'local', resumedBytes: 10 * MiB } })
    expect([asked.UploadPartCopy, asked.UploadPart, asked.CreateMultipartUpload]).toEqual([3, 1, 1])
    expect(await isCopied('half', BIG)).toBe(true)
  })

  it('lets nobody read the source but its own credentials', async () => {
    const account = { accessKeyId: 'AKIAWRITER', secretAccessKey: 'writer', buckets: ['target'] }
    server.addAccount(account)
    const env = { XFER_DEST_ACCESS_KEY_ID: account.accessKeyId, XFER_DEST_SECRET_ACCESS_KEY: account.secretAccessKey }
    for (const [key, body] of [
      ['small', SMALL],
      ['big', BIG],
    ]) {
      const target = `denied ${key}`
      const run = await route.check(await route.start(key, target, ['--route', 'auto'], { env }).ended, target)
      expect({ status: run.status, engine: run.last.engine }).toEqual({ status: 0, engine: 'local' })
      expect(await isCopied(target, body)).toBe(true)
    }
  })
})
