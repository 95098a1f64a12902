'use strict'

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { startDeployed } = require('../support/platform')
const { journalHolds, newStateHome } = require('../support/journals')
const { eventsOf, runXfer, startXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = bytesOf(25 * MiB)
const STOPPING = 'xfer: stopping; waiting up to 5 s for what is under way. Press Ctrl-C again to exit at once.\n'
/** Before the plan nothing is under way that is waited for. */
const STOPPING_EARLY = 'xfer: stopping; press Ctrl-C again to exit at once.\n'

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

  it('before the first byte ends it as well', async () => {
    server.faults.add({ operation: 'HeadObject', delayMs: 60_000 })
    const asked = eventOf(server, 'begin', ({ operation }) => operation === 'HeadObject')
    const { child, ended } = routes.local.start('large', 'early', [])
    await asked
    child.kill('SIGINT')
    const run = await ended
    expect(run).toMatchObject({ status: 130 })
    await routes.local.check(run, 'early', STOPPING_EARLY)
  })

  it('before the plan ends with a line for logs, too', async () => {
    const { env, buckets } = routes.local
    server.faults.add({ operation: 'HeadObject', delayMs: 60_000 })
    const asked = eventOf(server, 'begin', ({ operation }) => operation === 'HeadObject')
    const { child, ended } = startXfer(['copy', `s3://${buckets.from}/large`, `s3://${buckets.to}/early`], { env })
    await asked
    child.kill('SIGINT')
    const { stderr } = await ended
    expect(stderr).toMatch(
      /^ {6}Repeat .*\nxfer: ended after \d+ s with INTERRUPTED \(exit status 130\): nothing was done\.\n$/m,
    )
  })

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

  it.each([
    ['local', 'xfer: exiting at once.'],
    ['openwhisk', 'xfer: exiting at once; functions that are under way may still finish their parts.'],
  ])('twice leaves a %s copy that can be resumed, and says so', async (engine, leaving) => {
    const { start, to, env } = routes[engine]
    const state = { XDG_STATE_HOME: newStateHome() }
    const xfer = (...args) => runXfer([...args, '--json'], { env: { ...env, ...state } })
    // Functions go on, but not for long.
    server.faults.add({ operation: 'UploadPart', bytesPerSecond: MiB / 2 })
    const atWork = eventOf(server, 'begin', ({ operation }) => operation === 'UploadPart')
    const { child, ended } = start('large', 'kept', ['--on-failure', 'keep'], { env: state })
    await atWork
    child.kill('SIGINT')
    await journalHolds(state.XDG_STATE_HOME, 'ending')
    child.kill('SIGINT')
    const { status, stderr } = await ended
    const [job] = eventsOf(await xfer('jobs'))
    expect(job).toMatchObject({
      state: 'stopped',
      ended: { code: 'INTERRUPTED', message: 'The copy was interrupted.' },
    })
    const hint = `      What was copied is kept; go on with: xfer resume ${job.id}`
    expect({ status, stderr }).toEqual({ status: 130, stderr: `${STOPPING}${leaving}\n${hint}\n` })
    server.faults.clear()
    expect(eventsOf(await xfer('resume', job.id)).at(-1)).toMatchObject({ type: 'done' })
    expect((await get(to, 'kept')).equals(LARGE)).toBe(true)
  })
})
