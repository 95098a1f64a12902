'use strict'

/** `xfer mb` and `xfer presign`, with the real program: what they print, and their status. */

const { startStore } = require('../../sandbox/store')
const { eventsOf, runXfer, sideEnv } = require('../support/run-xfer')
const { bytesOf, openStore, put } = require('../support/s3')

let server
let env
beforeAll(async () => {
  server = await startStore({ buckets: ['things'] })
  env = { ...sideEnv('SOURCE', server), ...sideEnv('DEST', server) }
  const store = openStore(server, 'things')
  await put(store, 'key', bytesOf(9))
  store.close()
})
afterAll(() => server?.close())

const xfer = (...args) => runXfer(args, { env })

describe('xfer mb', () => {
  it('creates a bucket, and ends with 7 where there is one', async () => {
    expect(await xfer('mb', 's3://fresh')).toMatchObject({ status: 0, stdout: 'Created s3://fresh.\n', stderr: '' })
    expect(await xfer('mb', 's3://fresh')).toMatchObject({
      status: 7,
      stdout: '',
      stderr: expect.stringContaining('There is a bucket "fresh" already.'),
    })
    expect(await xfer('mb', 's3://fresh/key')).toMatchObject({ status: 2 })
  })
})

describe('xfer presign', () => {
  it('prints the URL alone, which reads the object', async () => {
    const { status, stdout, stderr } = await xfer('presign', 's3://things/key', '--expires', '15m')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^http:\/\/\S+X-Amz-Expires=900\S+\n$/)
    expect((await (await fetch(stdout.trim())).arrayBuffer()).byteLength).toBe(9)
    const [signed] = eventsOf(await xfer('presign', 's3://things/key', '--json'))
    expect(signed).toEqual({ location: 's3://things/key', url: expect.any(String), endsMs: expect.any(Number) })
  })

  it('ends with 2 for a life that no store gives, and with 3 for what is not there', async () => {
    expect(await xfer('presign', 's3://things/key', '--expires', '8d')).toMatchObject({ status: 2, stdout: '' })
    expect(await xfer('presign', 's3://things/none')).toMatchObject({ status: 3, stdout: '' })
  })
})
