'use strict'

/** `xfer verify -r`: what proves each pair, what is said of names that differ, and how it ends. */

const { mkdir, mkdtemp, rm, writeFile } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { cut, uploadParts } = require('../../sandbox/parts')
const { chooseKinds, openEnd, startKinds } = require('../support/ends')

const { openTrees, sizesOf } = require('../support/prefixes')
const { counted } = require('../support/requests')
const { copyEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, createBuckets, openStore, put } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(11 * MiB, 'body')
const OTHER = Buffer.from(BODY)
OTHER[7 * MiB] ^= 1

describe('between two stores that speak S3', () => {
  let source
  let destination
  let trees
  beforeAll(async () => {
    ;[source, destination] = await Promise.all([startStore(), startStore()])
  })
  beforeEach(async () => {
    trees = await openTrees({ source, destination })
  })
  afterEach(async () => {
    source.faults.clear()
    destination.faults.clear()
    for (const store of [trees.from, trees.to]) await store.removeAll(Object.keys(await sizesOf(store)))
    trees.close()
  })
  afterAll(() => Promise.all([source.close(), destination.close()]))

  /** @param {string[]} flags */
  const verify = async (...flags) => {
    const run = await trees.run(['verify', ...flags])
    const differences = run.events.filter(({ type }) => type === 'difference')
    const found = differences.map(({ name, found: how, why }) => [name, how, ...(why ? [why] : [])])
    const failures = run.events.filter(({ type }) => type === 'failure').map(({ name, code }) => [name, code])
    return { ...run, differences, found: found.sort(), failures }
  }
  /** @param {string} key @param {Buffer | string} body @param {object} [options] */
  const both = async (key, body, options) => {
    for (const store of [trees.from, trees.to]) await put(store, key, Buffer.from(body), options)
  }

  test('each pair is proved by what is cheapest, and the summary counts the proofs', async () => {
    await both('tree/plain', 'equal')
    await both('tree/empty', '')
    const parts = cut(BODY, 5 * MiB, 5 * MiB)
    for (const [server, bucket] of [
      [source, 'origin'],
      [destination, 'target'],
    ]) {
      await uploadParts(server, bucket, 'tree/parts', parts)
    }
    await uploadParts(source, 'origin', 'tree/summed', parts, { checksum: 'FULL_OBJECT' })
    await uploadParts(destination, 'target', 'tree/summed', cut(BODY, 6 * MiB), { checksum: 'FULL_OBJECT' })
    await uploadParts(source, 'origin', 'tree/unknown', parts)
    await uploadParts(destination, 'target', 'tree/unknown', cut(BODY, 6 * MiB))
    const { status, last, events } = await verify()
    expect({ status, last }).toMatchObject({
      status: 0,
      last: {
        type: 'done',
        pairs: { listed: 5, equal: 5, differing: 0, missing: 0, extra: 0, failed: 0, filtered: 0 },
        methods: { etag: 2, empty: 1, 'stored-crc32': 1, read: 1 },
        bytes: 3 * BODY.length + 5,
        readBytes: 2 * BODY.length,
      },
    })
    expect(events[0]).toMatchObject({ type: 'plan', recursive: 'verify' })
    expect(events.findLast(({ type }) => type === 'progress')).toMatchObject({ objectsDone: 5, objectsTotal: 5 })
  })

  test('what the lists prove needs no other request, and no engine', async () => {
    for (let i = 0; i < 50; i++) await both(`tree/n${i}`, `equal ${i}`)
    const { asked, result } = await counted(source, () => verify())
    expect(result).toMatchObject({ status: 0, last: { methods: { etag: 50 }, invocations: 0 } })
    expect(Object.keys(asked)).toEqual(['ListObjectsV2'])
  })

  test('what cannot be compared is named, everything else is compared, and the status is 1', async () => {
    await both('tree/a', 'equal')
    await put(trees.from, 'tree/b', Buffer.from('one'))
    await put(trees.to, 'tree/b', Buffer.from('two'))
    destination.faults.add({ operation: ['HeadObject', 'GetObject'], key: 'tree/b', status: 403 })
    const { status, last, failures } = await verify()
    expect(failures).toEqual([['b', 'ACCESS_DENIED']])
    expect({ status, last }).toMatchObject({
      status: 1,
      last: { code: 'OBJECTS_FAILED', pairs: { equal: 1, failed: 1 } },
    })
  })
})

describe('a folder', () => {
  let server
  let store
  let folder
  let env
  beforeAll(async () => {
    server = await startStore()
    await createBuckets(server, 'bucket')
    store = openStore(server, 'bucket')
    env = copyEnv(server, server)
  })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'xfer-verify-'))
    await mkdir(join(folder, 'sub'))
    await writeFile(join(folder, 'sub', 'large'), BODY)
    await writeFile(join(folder, 'small'), 'small')
    await uploadParts(server, 'bucket', 'tree/sub/large', cut(BODY, 6 * MiB), { checksum: 'FULL_OBJECT' })
    await put(store, 'tree/small', Buffer.from('small'))
  })
  afterEach(async () => {
    await store.removeAll(Object.keys(await sizesOf(store)))
    await rm(folder, { recursive: true })
  })
  afterAll(async () => {
    store?.close()
    await server?.close()
  })

  /** @param {string[]} places */
  const verify = async (...places) => {
    const { status, stdout } = await startXfer(['verify', '-r', ...places, '--json', '--chunk', '5'], { env }).ended
    const events = eventsOf({ stdout })
    const found = events.filter(({ type }) => type === 'difference').map(event => `${event.found} ${event.name}`)
    return { status, found: found.sort(), last: events.at(-1) }
  }

  test('is compared with a prefix, and only its files are read', async () => {
    const { asked, result } = await counted(server, () => verify(folder, 's3://bucket/tree'))
    const proofs = { methods: { read: 2 }, readBytes: BODY.length + 5 }
    expect(result).toMatchObject({ status: 0, found: [], last: proofs })
    expect(asked.GetObject).toBeUndefined()
    expect(await verify('s3://bucket/tree', folder)).toMatchObject({ status: 0, found: [], last: proofs })
  })
})

const { kinds } = chooseKinds('sandbox,sandbox-azure,google-mode')

describe.each(kinds.map(({ name }) => name))('from S3 to %s', name => {
  let servers
  let ends
  beforeAll(async () => {
    servers = await startKinds(kinds)
    const of = kind => servers.find(server => server.name === kind)
    ends = [await openEnd(of('sandbox'), 'origin'), await openEnd(of(name), 'target')]
  })
  afterAll(async () => {
    for (const end of ends ?? []) await end.close()
    await Promise.all((servers ?? []).map(server => server.stop()))
  })

  test('equal objects are equal, one other byte is found, and so are missing and extra names', async () => {
    const [from, to] = ends
    const small = bytesOf(1000, 'small')
    const flipped = Buffer.from(small)
    flipped[500] ^= 1
    for (const key of ['tree/large', 'tree/ü ä'])
      for (const end of ends) await end.write(key, { bytes: key === 'tree/large' ? BODY : small })
    const env = { ...from.env('SOURCE'), ...to.env('DEST') }
    const run = async () => {
      const args = ['verify', '-r', from.text('tree'), to.text('tree'), '--engine', 'local', '--chunk', '5', '--json']
      const ended = await startXfer(args, { env }).ended
      const events = eventsOf(ended)
      const found = events.filter(({ type }) => type === 'difference').map(event => `${event.found} ${event.name}`)
      return { status: ended.status, found: found.sort(), last: events.at(-1) }
    }
    expect(await run()).toMatchObject({ status: 0, found: [], last: { pairs: { listed: 2, equal: 2 } } })
    await from.write('tree/flipped', { bytes: small })
    await to.write('tree/flipped', { bytes: flipped })
    await from.write('tree/missing', { bytes: small })
    await to.write('tree/extra', { bytes: small })
    expect(await run()).toMatchObject({
      status: 8,
      found: ['differs flipped', 'extra extra', 'missing missing'],
      last: { pairs: { listed: 5, equal: 2 } },
    })
  })
})
