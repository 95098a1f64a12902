'use strict'

/** Copies within one store that it refuses, or whose source changes: told, and what the engine does then. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { counted } = require('../support/requests')
const { bytesOf, get, play, put } = require('../support/s3')

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
})
afterEach(() => server.faults.clear())
afterAll(async () => {
  route.close()
  await server.close()
})

/** @param {string} key @param {string[]} [flags] @param {string} [target] */
const copy = (key, flags = [], target = key) => route.copy(key, target, ['--route', 'auto', ...flags])
const isCopied = async (key, body) => (await get(route.to, key)).equals(body)
const noticesOf = ({ events }) => events.filter(({ type }) => type === 'notice').map(({ message }) => message)
const enginesOf = ({ events }) => events.filter(({ type }) => type === 'plan').map(({ engine }) => engine)

describe('a source that changes', () => {
  it.each([
    ['one request', 'CopyObject', ['--chunk', '100']],
    ['parts', 'UploadPartCopy', ['--chunk', '5']],
  ])('ends a copy by %s with 6, and nothing is written', async (_, operation, flags) => {
    const key = `changes ${operation}`
    await put(route.from, key, BIG)
    server.faults.add({ operation, first: 1, delayMs: 3_000 })
    const begun = new Promise(resolve => server.on('begin', event => event.operation === operation && resolve()))
    const running = copy(key, ['--concurrency', '1', ...flags], key)
    await begun
    // A small one is there within the delay, on a busy machine too.
    await put(route.from, key, bytesOf(1000, 'another'))
    expect(await running).toMatchObject({ status: 6, last: { code: 'SOURCE_CHANGED' } })
    await expect(route.to.head(key)).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  })
})

describe('a store that refuses', () => {
  const REFUSALS = [
    { status: 403, code: 'AccessDenied' },
    { status: 501, code: 'NotImplemented' },
    { status: 405, code: 'MethodNotAllowed' },
    { status: 400, code: 'InvalidRequest' },
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

  it.each(['CopyObject', 'UploadPartCopy'])('(%s fails again and again) is replaced by the engine', async operation => {
    server.faults.add({ operation, status: 500 })
    const key = operation === 'CopyObject' ? 'small' : 'big'
    const run = await copy(key, ['--retries', '1'], `failing ${operation}`)
    expect({ status: run.status, engine: run.last.engine }).toEqual({ status: 0, engine: 'local' })
  })

  it('ends the copy with --route server', async () => {
    server.faults.add({ operation: 'CopyObject', status: 403 })
    const { result, asked } = await counted(server, () => copy('small', ['--route', 'server'], 'server alone'))
    expect(result).toMatchObject({ status: 4, last: { code: 'COPY_REFUSED', hint: expect.stringMatching(/--route/) } })
    expect(asked.GetObject ?? 0).toBeLessThan(2)
    expect(asked.PutObject).toBeUndefined()
  })

  it('half-way keeps what it copied, and the engine does the rest', async () => {
    server.faults.add({ operation: 'UploadPartCopy', partNumber: 3, status: 403 })
    const flags = ['--concurrency', '1', '--on-failure', 'keep']
    const { result, asked } = await counted(server, () => copy('big', flags, 'half'))
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

  it('takes tags from who may write them, and not read them', async () => {
    const { request: tagged } = await route.from.put({
      ...{ key: 'tagged', bytes: SMALL.length, checksum: false },
      attributes: { metadata: { headers: {}, user: {} }, tags: [['a', 'b']] },
    })
    await play(tagged, SMALL)
    const actions = [
      's3:GetObject',
      's3:PutObject',
      's3:ListBucket',
      's3:PutObjectTagging',
      's3:ListBucketMultipartUploads',
    ]
    server.addAccount({ accessKeyId: 'AKIATAGS', secretAccessKey: 'tags', actions })
    const env = { XFER_DEST_ACCESS_KEY_ID: 'AKIATAGS', XFER_DEST_SECRET_ACCESS_KEY: 'tags' }
    const run = await route.check(await route.start('tagged', 'tagged', ['--route', 'auto'], { env }).ended, 'tagged')
    expect({ status: run.status, engine: run.last.engine }).toEqual({ status: 0, engine: 'server' })
    expect(await route.to.tags.read('tagged')).toEqual([['a', 'b']])
  })
})
