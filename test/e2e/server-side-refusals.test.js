'use strict'

/** Copies within one store that it refuses, or whose source changes: told, and what the engine does then. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { counted } = require('../support/requests')
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
})
