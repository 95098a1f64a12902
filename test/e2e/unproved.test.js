'use strict'

/** `--verify none`: nothing is computed, nothing is asked, and no more is claimed than what is left. */

const { mkdtempSync, readdirSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { PEERS } = require('../../sandbox/peers')
const { cut, uploadParts } = require('../../sandbox/parts')
const { startStore } = require('../../sandbox/store')
const { expectEvents, openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { journalHolds } = require('../support/journals')
const { startDeployed } = require('../support/platform')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, crc32, get, put, uploadsOf } = require('../support/s3')

const MiB = 1024 ** 2
const NONE = ['--verify', 'none']
const BODY = bytesOf(6 * 5 * MiB)

/** @type {Array<[where: string, start: (() => Promise<any>) | undefined]>} */
const STORES = [
  ['the sandbox', startStore],
  ['a store without checksums', () => startStore({ checksums: false })],
  ['a store that insists on the checksums that were announced', () => startStore({ requirePartChecksums: true })],
  ['versitygw', PEERS.versitygw],
  ['MinIO', PEERS.minio],
]

describe.each(STORES.filter(([, start]) => start))('to %s', (_, start) => {
  let source
  let destination
  let route
  beforeAll(async () => {
    ;[source, destination] = await Promise.all([startStore(), start()])
    route = await openRoute({ source, destination })
    await put(route.from, 'small', bytesOf(1000), { checksum: true })
    await put(route.from, 'empty', Buffer.alloc(0), { checksum: true })
    await put(route.from, 'big', BODY, { checksum: true })
    await uploadParts(source, 'source', 'parts', cut(BODY, ...Array(6).fill(5 * MiB)))
  }, 60_000)
  afterAll(async () => {
    route?.close()
    await Promise.all([source?.close(), destination?.close()])
  })

  test.each([
    ['small', 'put', ['source-etag']],
    ['empty', 'put', ['source-etag']],
    // Its ETag is that of one piece.
    ['big', 'multipart', ['size']],
    ['parts', 'multipart', ['source-etag', 'source-md5']],
  ])(
    'of %s no CRC-32 is known and none is stored',
    async (key, way, proofs) => {
      const { status, last, events } = await route.copy(key, key, NONE)
      expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
      expect(last.route).toBe(way)
      expect(proofs).toEqual(expect.arrayContaining(last.proof))
      expect(last.proof.length).toBeGreaterThan(0)
      expect(last).not.toHaveProperty('crc32')
      const parts = events.filter(({ type }) => type === 'part')
      expect(parts.length).toBe(last.parts)
      for (const part of parts) expect(part.sums).toEqual({})
      // Versitygw computes one of its own accord.
      if (destination.requests) {
        expect(last).not.toHaveProperty('sums')
        expect((await route.to.head(key)).sums).toBeUndefined()
      }
      expect((await get(route.to, key)).equals(await get(route.from, key))).toBe(true)
    },
    60_000,
  )
})

test('a function computes none either', async () => {
  const [server, platform] = await Promise.all([startStore(), startDeployed()])
  const route = await openRoute({ source: server, platform })
  try {
    await put(route.from, 'big', BODY)
    const { last, events } = await route.copy('big', 'big', NONE)
    expect(last).toMatchObject({ type: 'done', engine: 'openwhisk', proof: ['size'] })
    expect(events.filter(event => event.type === 'part' && Object.keys(event.sums).length > 0)).toEqual([])
    expect((await get(route.to, 'big')).equals(BODY)).toBe(true)
  } finally {
    route.close()
    await Promise.all([server.close(), platform.close()])
  }
}, 60_000)

describe.each([
  ['with checksums', {}, { auto: ['store-crc32'], again: ['store-crc32'] }],
  ['without', { checksums: false }, { auto: ['part-md5'], again: ['part-md5'] }],
])('a copy that is gone on with, at a store %s', (_, options, proofs) => {
  let server
  let route
  let state
  let written
  beforeAll(async () => {
    server = await startStore(options)
    route = await openRoute({ source: server })
    server.on('request', ({ operation, status, partNumber }) => {
      if (operation === 'UploadPart' && status === 200) written.push(partNumber)
    })
    await put(route.from, 'big', BODY)
  })
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), 'xfer-test-unproved-'))
    written = []
  })
  afterEach(() => {
    server.faults.clear()
    rmSync(state, { recursive: true })
  })
  afterAll(async () => {
    route.close()
    await server.close()
  })

  const copy = (key, how) =>
    startXfer(
      [
        'copy',
        's3://source/big',
        `s3://target/${key}`,
        '--chunk',
        '5',
        '--concurrency',
        '1',
        '--json',
        '--verify',
        how,
      ],
      { env: { ...route.env, XDG_STATE_HOME: state } },
    )

  /** Until the part is on its way, and killed then. @param {string} key @param {string} how @param {number} partNumber */
  async function copyUpTo(key, how, partNumber) {
    server.faults.add({ operation: 'UploadPart', partNumber, stall: 1 * MiB })
    const held = eventOf(server, 'begin', event => event.operation === 'UploadPart' && event.partNumber === partNumber)
    const { child, ended } = copy(key, how)
    await held
    await journalHolds(state, 'part', partNumber - 1)
    child.kill('SIGKILL')
    await ended
    server.faults.clear()
  }

  /** @param {string} key @param {string} how */
  async function goOn(key, how) {
    const { last, events } = expectEvents(await copy(key, how).ended, { env: route.env })
    expect(last).toMatchObject({ type: 'done' })
    expect((await get(route.to, key)).equals(BODY)).toBe(true)
    expect(await uploadsOf(route.to, key)).toEqual([])
    expect(readdirSync(state)).toEqual([])
    const notices = events.filter(({ type }) => type === 'notice').map(({ message }) => message)
    return { last, notices, times: [1, 2, 3, 4, 5, 6].map(n => written.filter(each => each === n).length) }
  }

  test('without a proof, as it was begun, copies no part again', async () => {
    await copyUpTo('none-none', 'none', 4)
    const { last, notices, times } = await goOn('none-none', 'none')
    expect(last).toMatchObject({ resumedBytes: 15 * MiB, proof: ['size'] })
    expect(last).not.toHaveProperty('crc32')
    expect({ notices, times }).toEqual({ notices: [], times: [1, 1, 1, 1, 1, 1] })
  }, 60_000)

  test('with a proof starts again, and says so', async () => {
    await copyUpTo('none-auto', 'none', 4)
    const { last, notices, times } = await goOn('none-auto', 'auto')
    expect(last).toMatchObject({ resumedBytes: 0, proof: proofs.again })
    expect(notices).toEqual([expect.stringContaining('started with --verify none')])
    expect(times).toEqual([2, 2, 2, 1, 1, 1])
  }, 60_000)

  test('that was begun with one, without it: the parts count, and what was begun with checksums keeps them', async () => {
    await copyUpTo('auto-none', 'auto', 4)
    const { last, notices, times } = await goOn('auto-none', 'none')
    const proof = options.checksums === false ? ['size'] : ['store-crc32']
    expect(last).toMatchObject({ resumedBytes: 15 * MiB, proof })
    if (options.checksums !== false) expect(Buffer.from(last.crc32, 'base64').readUInt32BE()).toBe(crc32(BODY))
    expect({ notices, times }).toEqual({ notices: [], times: [1, 1, 1, 1, 1, 1] })
  }, 60_000)

  test('with, without and with again copies again what was copied without', async () => {
    await copyUpTo('mixed', 'auto', 3)
    await copyUpTo('mixed', 'none', 5)
    const { last, times } = await goOn('mixed', 'auto')
    expect(last).toMatchObject({ proof: proofs.auto })
    const unproved = options.checksums === false
    expect(times).toEqual(unproved ? [1, 1, 2, 2, 1, 1] : [1, 1, 1, 1, 1, 1])
  }, 90_000)
})
