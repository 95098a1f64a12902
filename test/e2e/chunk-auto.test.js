'use strict'

/** `--chunk auto` by the real program: the plan says what it chose and why, and the copy is of such parts. */

const { PEERS } = require('../../sandbox/peers')
const { cut, uploadParts } = require('../../sandbox/parts')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { runXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(20 * MiB)
const AUTO = ['--chunk', 'auto']

/** @type {Array<[where: string, start: (() => Promise<any>) | undefined]>} */
const STORES = [
  ['the sandbox', startStore],
  ['versitygw', PEERS.versitygw],
  ['MinIO', PEERS.minio],
]

describe.each(STORES.filter(([, start]) => start))('from and to %s', (_, start) => {
  let server
  let platform
  let here
  let away
  beforeAll(async () => {
    ;[server, platform] = await Promise.all([start(), startDeployed()])
    here = await openRoute({ source: server })
    away = await openRoute({ source: server, platform })
    await uploadParts(server, 'source', 'parts', cut(BODY, 8 * MiB, 8 * MiB))
    await put(here.from, 'piece', BODY)
  }, 60_000)
  afterAll(async () => {
    here?.close()
    away?.close()
    await Promise.all([server?.close(), platform?.close()])
  })

  test.each([
    ['here, takes the size of the source’s parts', () => here, 'parts', 8, 'the same ETag'],
    ['here, weighs it where the source is of one piece', () => here, 'piece', 8, 'less to start than to copy'],
    ['by functions, takes the size of the source’s parts', () => away, 'parts', 8, 'the same ETag'],
    ['by functions, weighs it where the source is of one piece', () => away, 'piece', 16, 'less to start than to copy'],
  ])(
    'a copy %s',
    async (name, route, key, mib, reason) => {
      const { status, last, plan } = await route().copy(key, name, AUTO)
      expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
      expect(plan).toMatchObject({ partBytes: mib * MiB, notices: [], chunkWhy: expect.stringContaining(reason) })
      expect(last.parts).toBe(Math.ceil(20 / mib))
      expect(last.proof.includes('source-etag')).toBe(key === 'parts')
      expect((await get(here.to, name)).equals(BODY)).toBe(true)
    },
    60_000,
  )

  test('a dry run says so to people', async () => {
    const args = ['copy', 's3://source/parts', 's3://target/', '--engine', 'local', '--dry-run', ...AUTO]
    const { status, stderr } = await runXfer(args, { env: here.env })
    expect(status).toBe(0)
    expect(stderr).toContain(
      "\nA chunk of 8 MiB is that of the source's own parts, which gives the copy the same ETag.\n",
    )
  })

  test('a size that was given has no reason', async () => {
    const { plan } = await here.copy('parts', 'given', ['--chunk', '6'])
    expect(plan).not.toHaveProperty('chunkWhy')
  })
})
