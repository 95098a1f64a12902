'use strict'

/** What proves the parts of an upload: exit 0 only with positive evidence, also after a resume. */

const { mkdtempSync, rmSync } = require('node:fs')
const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { expectEvents, openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { journalHolds } = require('../support/journals')
const { eventsOf, runXfer, startXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2

/**
 * What proves the parts of an upload, by what their store can do; findings 2, 3 and 14: exit 0 only with positive evidence,
 * and a damaged part is copied again, however often the store has to be asked otherwise.
 */
describe('evidence of parts', () => {
  /** Four parts. */
  const BODY = bytesOf(16 * MiB)
  const UNKNOWN = { serverName: 'Oddity/1.0' }

  let source
  beforeAll(async () => {
    source = await startStore()
  })
  afterAll(() => source?.close())

  let destination
  let route
  afterEach(async () => {
    route?.close()
    await destination?.close()
  })

  /** @param {object} options of the destination @param {object[]} [faults] */
  async function openTo(options, ...faults) {
    destination = await startStore(options)
    route = await openRoute({ source, destination })
    await put(route.from, 'object', BODY)
    for (const fault of faults) destination.faults.add(fault)
  }

  async function expectRight(key = 'object') {
    destination.faults.clear()
    expect((await get(route.to, key)).equals(BODY)).toBe(true)
  }

  /** @type {Array<[what: string, options: object, proof: string[], requests: object]>} */
  const PROOFS = [
    // That of the few bytes, and one without checksums.
    [
      'that takes any checksum',
      { ...UNKNOWN, checksumCheck: false },
      ['part-md5'],
      { UploadPart: 6, CreateMultipartUpload: 2, GetObject: 0 },
    ],
    // One that may be read, and the object in its parts.
    [
      'whose ETags are opaque',
      { ...UNKNOWN, checksumCheck: false, md5Etags: false },
      ['read-back'],
      { UploadPart: 6, GetObject: 5 },
    ],
    ['that wants a checksum of each part', { requirePartChecksums: true }, ['store-crc32'], { GetObject: 0 }],
    [
      'that answers 411 to trailers',
      { ...UNKNOWN, checksums: false, trailerStatus: 411 },
      ['part-md5'],
      { GetObject: 0 },
    ],
    [
      'that is known',
      {},
      ['store-crc32'],
      { UploadPart: 4, CreateMultipartUpload: 1, GetObject: 0, HeadObject: 1, ListParts: 0 },
    ],
  ]

  test.each(PROOFS)('a copy to a store %s', async (_, options, proof, requests) => {
    await openTo(options)
    const before = { ...destination.requests }
    const { status, last } = await route.copy('object')
    expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
    expect(last.proof.filter(one => !['source-etag', 'source-md5'].includes(one))).toEqual(proof)
    const made = name => (destination.requests[name] ?? 0) - (before[name] ?? 0)
    expect(Object.fromEntries(Object.keys(requests).map(name => [name, made(name)]))).toEqual(requests)
    await expectRight()
  })

  const FLIP = { operation: 'UploadPart', partNumber: 2, flipByteAt: 100 }
  const SLOW = { operation: 'UploadPart', answerDelayMs: 400 }

  /** Finding 3: never conceded, whatever comes home first. */
  test.each([
    [
      'without checksums, whose other parts are slower',
      { checksums: false, faults: [1, 3, 4].map(partNumber => ({ ...SLOW, partNumber })) },
      '0',
    ],
    ['that takes any checksum', { ...UNKNOWN, checksumCheck: false }, '0'],
    ['that has no MD5s', { ...UNKNOWN, checksums: false, md5Etags: false }, '1'],
  ])('a part that is flipped always, at a store %s, is no copy', async (_, options, retries) => {
    await openTo(options, FLIP)
    const { status, last } = await route.copy('object', 'object', ['--retries', retries])
    expect(status).toBe(8)
    expect(last.hint).toEqual(expect.any(String))
    expect(await keysOf(route.to, 'object')).toEqual([])
  })

  describe('if only reading it back can prove the copy', () => {
    const BLIND = { ...UNKNOWN, checksums: false, md5Etags: false }

    test('a reading back that is interrupted goes on where it was, and reads no range twice', async () => {
      await openTo(BLIND)
      const home = await mkdtemp(join(tmpdir(), 'xfer-state-'))
      const env = { XDG_STATE_HOME: home }
      try {
        // One byte is asked for beforehand; then the ranges, one after the other.
        destination.faults.add({ operation: 'GetObject', nth: 4, stall: 100 })
        let gets = 0
        const third = eventOf(destination, 'begin', ({ operation }) => operation === 'GetObject' && ++gets === 4)
        const flags = ['--on-failure', 'keep', '--concurrency', '1']
        const { child, ended } = route.start('object', 'object', flags, { env })
        await third
        child.kill('SIGINT')
        expect(await ended).toMatchObject({ status: 130 })
        destination.faults.clear()
        const before = { ...destination.requests }
        const { status, stdout } = await runXfer(['resume', '--json'], { env: { ...route.env, ...env } })
        const last = eventsOf({ stdout }).at(-1)
        expect({ status, proof: last.proof }).toEqual({ status: 0, proof: ['read-back'] })
        const made = name => (destination.requests[name] ?? 0) - (before[name] ?? 0)
        expect({ gets: made('GetObject'), parts: made('UploadPart') }).toEqual({ gets: 2, parts: 0 })
      } finally {
        await rm(home, { recursive: true, force: true })
      }
    })
  })
})

/** Copies that end between their completion and their proof: who goes on proves them, and does not take them for proved. */
describe('evidence after a resume', () => {
  const BODY = bytesOf(11 * MiB)
  const UNKNOWN = { serverName: 'Oddity/1.0' }

  let servers
  let route
  let state
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'xfer-test-proofs-'))
  })
  afterEach(async () => {
    route?.close()
    await Promise.all(servers.map(server => server.close()))
    rmSync(state, { recursive: true })
  })

  /** @param {object} to options of the destination @param {object} [from] of the source; one store when absent */
  async function open(to, from) {
    const destination = await startStore(to)
    const source = from ? await startStore(from) : destination
    servers = [...new Set([source, destination])]
    route = await openRoute({ source, destination })
    await put(route.from, 'big', BODY)
    return destination
  }

  /** @param {string[]} flags */
  const start = (...flags) =>
    startXfer(['copy', 's3://source/big', 's3://target/big', '--json', '--engine', 'local', '--chunk', '5', ...flags], {
      env: { ...route.env, XDG_STATE_HOME: state },
    })
  const endOf = async ({ ended }) => expectEvents(await ended, { env: route.env })

  test('parts that the store copied by itself prove nothing of those that an engine adds', async () => {
    const server = await open({ ...UNKNOWN, checksumCheck: false })
    const held = server.faults.add({ operation: 'UploadPartCopy', partNumber: 2, delayMs: 60_000 })
    const begun = eventOf(server, 'begin', event => event.operation === 'UploadPartCopy' && event.partNumber === 2)
    const started = start('--concurrency', '1', '--route', 'auto')
    await begun
    await journalHolds(state, 'part')
    started.child.kill('SIGKILL')
    await started.ended
    held.remove()
    server.faults.add({ operation: 'UploadPart', partNumber: 3, flipByteAt: 100, nth: 1, leastBytes: 100 })
    const { status, last } = await endOf(start('--route', 'engine'))
    expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
    expect((await get(route.to, 'big')).equals(BODY)).toBe(true)
  })
})
