'use strict'

/** The real program with `--bandwidth`: whatever moves the bytes, they take as long as they must. */

const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const RATE = 8 * MiB
const BYTES = 11 * MiB
/** What may be ahead: a tenth of a second, and a piece of 64 KiB a connection. */
const AHEAD = 0.1 * RATE + 8 * 65_536
const LEAST_MS = (1000 * (BYTES - AHEAD)) / RATE

describe.each(['local', 'openwhisk'])('a copy by the engine %s', engine => {
  let server
  let platform
  let route
  let state

  beforeAll(async () => {
    server = await startStore()
    if (engine === 'openwhisk') platform = await startDeployed()
    route = await openRoute({ source: server, platform })
    await put(route.from, 'object', bytesOf(BYTES))
    state = mkdtempSync(join(tmpdir(), 'xfer-test-bandwidth-'))
  }, 60_000)
  afterAll(async () => {
    route?.close()
    await platform?.close()
    await server?.close()
    if (state) rmSync(state, { recursive: true, force: true })
  })

  const run = async args => {
    const { status, stdout } = await startXfer([...args, '--json', '--engine', engine], {
      env: { ...route.env, XDG_STATE_HOME: state },
    }).ended
    const events = eventsOf({ stdout })
    return { status, last: events.at(-1), plan: events.find(({ type }) => type === 'plan') }
  }

  test.each([
    ['in parts', 'parts', ['--chunk', '5'], 1],
    ['in one piece', 'whole', ['--chunk', '100'], 1],
    ['that is read back', 'back', ['--chunk', '5', '--verify', 'full'], 2],
  ])(
    '%s takes as long as it must',
    async (_name, key, flags, times) => {
      const args = ['copy', 's3://source/object', `s3://target/${key}`, '--bandwidth', '8MiB/s', ...flags]
      const { status, last, plan } = await run(args)
      expect(last).toMatchObject({ type: 'done', bytes: BYTES })
      expect(status).toBe(0)
      expect(plan).toMatchObject({ bandwidth: RATE })
      expect(last.elapsedMs).toBeGreaterThan(times * LEAST_MS)
      // And without a limit it would have been quick.
      expect(last.elapsedMs).toBeLessThan(10 * times * LEAST_MS)
    },
    120_000,
  )
})
