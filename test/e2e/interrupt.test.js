'use strict'

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { startDeployed } = require('../support/platform')
const { bytesOf, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = bytesOf(25 * MiB)
const STOPPING = 'xfer: stopping; waiting up to 5 s for what is under way. Press Ctrl-C again to exit at once.\n'

describe('Ctrl-C', () => {
  let server
  let platform
  const routes = {}
  beforeAll(async () => {
    ;[server, platform] = await Promise.all([startStore(), startDeployed()])
    routes.local = await openRoute({ source: server, buckets: { from: 'from-local', to: 'to-local' } })
    routes.openwhisk = await openRoute({ source: server, platform, buckets: { from: 'from-ow', to: 'to-ow' } })
    for (const { from } of Object.values(routes)) {
      await put(from, 'large', LARGE)
      await put(from, 'small', bytesOf(3 * MiB))
    }
  })
  afterEach(() => server.faults.clear())
  afterAll(async () => {
    for (const route of Object.values(routes)) route.close()
    await Promise.all([server?.close(), platform?.close()])
  })

  it.each([
    ['SIGINT', 'local', 'large', 'UploadPart'],
    ['SIGTERM', 'local', 'large', 'UploadPart'],
    ['SIGINT', 'local', 'small', 'PutObject'],
    ['SIGINT', 'openwhisk', 'large', 'UploadPart'],
  ])(
    '(%s) in the middle of a %s copy ends it with 130 and leaves nothing: %s',
    async (signal, engine, key, operation) => {
      const { to, start, check } = routes[engine]
      // Slow enough that the signal finds it at work.
      server.faults.add({ operation, bytesPerSecond: 2 * MiB })
      const atWork = eventOf(server, 'begin', event => event.operation === operation)
      const { child, ended } = start(key, key, [])
      await atWork
      const over = eventOf(server, 'request', event => event.operation === operation)
      child.kill(signal)
      const run = await ended
      await over
      const { last } = await check(run, key, STOPPING)
      expect(run).toMatchObject({ status: 130, signal: null })
      expect(last).toMatchObject({ type: 'error', code: 'INTERRUPTED' })
      expect(await keysOf(to, key)).toEqual([])
    },
  )

  it('twice leaves at once, whatever hangs', async () => {
    const { start } = routes.local
    server.faults.add({ operation: 'UploadPart', stall: 1 * MiB })
    server.faults.add({ operation: 'AbortMultipartUpload', delayMs: 60_000 })
    const atWork = eventOf(server, 'begin', ({ operation }) => operation === 'UploadPart')
    const { child, ended } = start('large', 'twice', [])
    await atWork
    const aborting = eventOf(server, 'begin', ({ operation }) => operation === 'AbortMultipartUpload')
    child.kill('SIGINT')
    await aborting
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ status: 130, signal: null })
  })
})
