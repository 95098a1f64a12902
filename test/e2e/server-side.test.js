'use strict'

/** Copies that a store makes by itself: no byte is read, and where the store refuses, the engine does it. */

const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { cut, uploadParts } = require('../../sandbox/parts')
const { startStore } = require('../../sandbox/store')
const { expectEvents, openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { jobFiles, journalHolds } = require('../support/journals')
const { PATH_KEYS, PLAIN_KEYS } = require('../support/keys')
const { counted: countRequests } = require('../support/requests')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, get, openStore, put, tryPut, uploadsOf } = require('../support/s3')
const { SERVERS } = require('../support/servers')

const MiB = 1024 ** 2

const SMALL = bytesOf(100_000)
const BIG = bytesOf(11 * MiB)

let server
let other
let route
beforeAll(async () => {
  ;[server, other] = await Promise.all([startStore(), startStore()])
  route = await openRoute({ source: server })
  await put(route.from, 'small', SMALL, { user: { color: 'blue' }, headers: { 'content-type': 'a/b' } })
  await put(route.from, 'big', BIG)
  await put(route.from, 'empty', Buffer.alloc(0))
})
afterEach(() => server.faults.clear())
afterAll(async () => {
  route.close()
  await Promise.all([server.close(), other.close()])
})

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
  it('is asked for again where its answer is lost, but not where the copy is there', async () => {
    for (const fault of [{ loseAnswer: true }, { status: 500, afterWork: true }, { truncateXml: true }]) {
      const rule = server.faults.add({ operation: 'CopyObject', first: 1, ...fault })
      const key = `lost ${JSON.stringify(fault)}`
      const { result, asked } = await counted(() => copy('small', [], key))
      expect(result).toMatchObject({ status: 0, last: { engine: 'server' } })
      expect([asked.CopyObject, rule.hits]).toEqual([1, 1])
      server.faults.clear()
    }
    server.faults.add({ operation: 'CopyObject', first: 1, status: 500 })
    const { result, asked } = await counted(() => copy('small', [], 'again'))
    expect([result.status, asked.CopyObject]).toEqual([0, 2])
  })

  it('is not taken for done where the same bytes were there before', async () => {
    await put(route.to, 'before', SMALL)
    // Stores tell whole seconds.
    server.faults.add({ operation: 'CopyObject', first: 1, status: 500 })
    const { result, asked } = await counted(() => copy('small', [], 'before'))
    expect([result.status, asked.CopyObject]).toEqual([0, 2])
    expect((await route.to.head('before')).metadata.user).toEqual({ color: 'blue' })
  })

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

describe('parts', () => {
  it('are copied by the store, and no byte is read', async () => {
    const { result, asked } = await counted(() => copy('big', [], 'parts'))
    expect(result.last).toMatchObject({ engine: 'server', route: 'multipart', parts: 3, invocations: 3 })
    expect(asked).toEqual({
      HeadObject: 1,
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

  it('are those of the source where it has equal ones, and prove it by its ETag', async () => {
    const body = bytesOf(113 * MiB, 'own parts')
    const etag = await uploadParts(server, 'source', 'own', cut(body, ...Array(14).fill(8 * MiB)))
    const { last, plan } = await copy('own', ['--chunk', '100'])
    expect(last).toMatchObject({ engine: 'server', parts: 15, partBytes: 8 * MiB, etag, proof: ['source-etag'] })
    expect(plan.chunkWhy).toMatch(/source's own/)
  }, 120_000)

  it('are copied again when they fail', async () => {
    server.faults.add({ operation: 'UploadPartCopy', partNumber: 2, first: 2, status: 500 })
    server.faults.add({ operation: 'UploadPartCopy', partNumber: 3, first: 1, loseAnswer: true })
    server.faults.add({ operation: 'UploadPartCopy', partNumber: 1, first: 1, status: 503 })
    const { status, last } = await copy('big', [], 'again parts')
    expect({ status, last }).toMatchObject({ status: 0, last: { engine: 'server', retried: 3, throttled: 1 } })
    expect(await isCopied('again parts', BIG)).toBe(true)
  })
})

describe('--verify', () => {
  it('full finds a byte that differs, and removes the copy', async () => {
    const rule = { bucket: 'target', key: 'flipped', operation: 'GetObject', on: 'response', flipByteAt: 7 }
    server.faults.add(rule)
    const run = await copy('small', ['--verify', 'full'], 'flipped')
    expect(run).toMatchObject({ status: 8, last: { code: 'WRONG_COPY' } })
    server.faults.clear()
    await expect(route.to.head('flipped')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  })
})

it('a version is copied by its id', async () => {
  server.createBucket('versions', { versions: true })
  const kept = openStore(server, 'versions')
  await put(kept, 'key', Buffer.from('old'))
  const { versionId } = await kept.head('key')
  await put(kept, 'key', Buffer.from('new'))
  const versions = await openRoute({ source: server, buckets: { from: 'versions', to: 'target' } })
  const run = await versions.copy('key', 'an old version', ['--route', 'server', '--version-id', versionId])
  expect(run).toMatchObject({ status: 0, last: { engine: 'server' } })
  expect((await get(route.to, 'an old version')).toString()).toBe('old')
  versions.close()
  kept.close()
})

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

  it('ends the copy with --route server', async () => {
    server.faults.add({ operation: 'CopyObject', status: 403 })
    const { result, asked } = await counted(() => copy('small', ['--route', 'server'], 'server alone'))
    expect(result).toMatchObject({ status: 4, last: { code: 'COPY_REFUSED', hint: expect.stringMatching(/--route/) } })
    expect(asked.GetObject ?? 0).toBeLessThan(2)
    expect(asked.PutObject).toBeUndefined()
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

/** Copies that a store makes by itself, ended early and gone on with: by the store, or by the engine where it refuses. */
describe('gone on with', () => {
  const BODY = bytesOf(26 * MiB)
  const PARTS = 6

  describe.each([
    ['with checksums', {}],
    ['without checksums', { serverName: '', checksums: false }],
  ])('a store %s', (_, options) => {
    let server
    let route
    let state
    beforeAll(async () => {
      server = await startStore(options)
      route = await openRoute({ source: server })
    })
    beforeEach(async () => {
      state = mkdtempSync(join(tmpdir(), 'xfer-test-server-'))
      await put(route.from, 'big', BODY)
    })
    afterEach(() => {
      server.faults.clear()
      rmSync(state, { recursive: true })
    })
    afterAll(async () => {
      route.close()
      await server.close()
    })

    /** @param {string[]} args */
    const start = (...args) => startXfer([...args, '--json'], { env: { ...route.env, XDG_STATE_HOME: state } })
    /** @param {string} key @param {string[]} flags */
    const copyTo = (key, ...flags) =>
      start(
        'copy',
        's3://source/big',
        `s3://target/${key}`,
        '--route',
        'auto',
        '--chunk',
        '5',
        '--engine',
        'local',
        ...flags,
      )
    /** @param {{ ended: Promise<any> }} started */
    const endOf = async ({ ended }) => expectEvents(await ended, { env: route.env })
    const journals = () => jobFiles(state).filter(name => name.endsWith('.journal'))

    /** Copies until three parts are there and the fourth is held back, and ends the program then. @param {string} key */
    async function copySome(key) {
      const held = server.faults.add({ operation: 'UploadPartCopy', partNumber: 4, delayMs: 60_000 })
      const begun = eventOf(server, 'begin', event => event.operation === 'UploadPartCopy' && event.partNumber === 4)
      const started = copyTo(key, '--concurrency', '1')
      await begun
      await journalHolds(state, 'part', 3)
      started.child.kill('SIGKILL')
      await started.ended
      held.remove()
      expect(journals()).toHaveLength(1)
    }

    /** Of a part that the journal had no time to note nothing is known, unless the store keeps its checksum. @param {number} bytes */
    function keptParts(bytes) {
      const parts = bytes / (5 * MiB)
      expect(options.checksums === false ? [0, 1, 2, 3] : [3]).toContain(parts)
      return parts
    }

    /** @param {string} key */
    async function expectCopied(key) {
      expect((await get(route.to, key)).equals(BODY)).toBe(true)
      expect(await uploadsOf(route.to, key)).toEqual([])
      expect(journals()).toEqual([])
    }

    it('goes on with the parts that it has', async () => {
      await copySome('goes on')
      const before = server.requests.UploadPartCopy
      const { status, last } = await endOf(start('resume'))
      expect({ status, engine: last.engine }).toEqual({ status: 0, engine: 'server' })
      expect(server.requests.UploadPartCopy - before).toBe(PARTS - keptParts(last.resumedBytes))
      await expectCopied('goes on')
    })

    it('is settled where the answer to its completion was lost', async () => {
      server.faults.add({ operation: 'CompleteMultipartUpload', first: 1, loseAnswer: true })
      const { status, last } = await endOf(copyTo('settled'))
      expect({ status, last }).toMatchObject({ status: 0, last: { engine: 'server' } })
      await expectCopied('settled')
    })

    it('goes on with a job of the engine', async () => {
      server.faults.add({ operation: 'UploadPart', partNumber: 3, status: 403 })
      const failed = await endOf(copyTo('of the engine', '--route', 'engine', '--concurrency', '1'))
      expect(failed.status).toBe(4)
      server.faults.clear()
      const { status, last } = await endOf(start('resume', '--route', 'server'))
      expect({ status, last }).toMatchObject({ status: 0, last: { engine: 'server', resumedBytes: 10 * MiB } })
      await expectCopied('of the engine')
    })
  })
})

/** Copies within one store, on every server there is to try. */
describe('on every server', () => {
  describe.each(SERVERS)('on $name', ({ start, traits }) => {
    let server
    let route
    beforeAll(async () => {
      server = await start()
      route = await openRoute({ source: server })
    }, 60_000)
    afterAll(async () => {
      route?.close()
      await server?.close()
    })

    const isCopied = async (key, body) => (await get(route.to, key)).equals(body)

    it.each([...PLAIN_KEYS, ...PATH_KEYS])(
      'a key with %s is the one that is copied, where it can be',
      async (_, key) => {
        const body = bytesOf(50, key)
        const { status: taken } = await tryPut(route.from, key, body)
        if (taken !== 200) return
        const { status } = await route.copy(key, 'plain', ['--route', 'auto'])
        expect(status).toBe(0)
        expect(await isCopied('plain', body)).toBe(true)
      },
    )
  })
})
