'use strict'

const { Worker } = require('node:worker_threads')
const { createLocalEngine } = require('../../lib/engines/local')
const { createOpenWhiskEngine } = require('../../lib/engines/openwhisk')
const { eventOf } = require('../support/events')
const { startDeployed } = require('../support/platform')
const { startRelay } = require('../support/relay')
const { engineContract } = require('./engine')

engineContract('local', async () => {
  const threads = () => process.report.getReport().workers.length
  const before = threads()
  // The engine keeps its threads to itself: what is sent to them shows which they are.
  const workers = new Set()
  const { postMessage } = Worker.prototype
  const spy = jest.spyOn(Worker.prototype, 'postMessage').mockImplementation(function post(...message) {
    workers.add(this)
    return postMessage.apply(this, message)
  })
  return {
    create: () => createLocalEngine({ threads: 2 }),
    crash() {
      for (const worker of workers) worker.terminate()
      workers.clear()
    },
    async quiet() {
      expect(threads()).toBe(before)
    },
    async close() {
      spy.mockRestore()
    },
  }
})

/** @param {{ apihost: string, auth: string }} platform @param {object} [settings] */
const settingsFor = ({ apihost, auth }, settings) => ({
  apihost,
  auth,
  namespace: '_',
  from: 'a test',
  insecure: false,
  ...settings,
})

engineContract('openwhisk', async () => {
  const platform = await startDeployed()
  const relay = await startRelay(platform.port)
  return {
    create: () => createOpenWhiskEngine(settingsFor(platform, { apihost: `http://127.0.0.1:${relay.port}` })),
    crash() {
      for (const pid of platform.containers()) process.kill(pid, 'SIGKILL')
    },
    async quiet() {
      expect(relay.opened()).toBeGreaterThan(0)
      await relay.idle()
    },
    async close() {
      await relay.close()
      await platform.close()
    },
  }
})

describe('the engine openwhisk, refused', () => {
  let platform
  const engines = []
  beforeAll(async () => {
    platform = await startDeployed()
  })
  afterEach(async () => {
    platform.faults.clear()
    for (const engine of engines.splice(0)) await engine.close()
  })
  afterAll(() => platform?.close())

  const create = (settings, options) => {
    const engine = createOpenWhiskEngine(settingsFor(platform, settings), options)
    engines.push(engine)
    return engine
  }
  // What the task says does not matter: the function is not reached.
  const tasks = [{ partNumber: 1 }]

  const cases = [
    [
      '429, too many at once',
      { status: 429 },
      { code: 'PLATFORM_THROTTLED', throttled: true, retryAfterMs: undefined },
    ],
    [
      '429, too many this minute',
      { status: 429, throttle: 'rate' },
      { code: 'PLATFORM_THROTTLED', throttled: true, retryAfterMs: 45_000 },
    ],
    ['429 in words unknown', { status: 429, message: 'No.' }, { code: 'PLATFORM_THROTTLED', throttled: true }],
    ['503', { status: 503 }, { code: 'PLATFORM_THROTTLED', throttled: true }],
    ['500', { status: 500 }, { code: 'PLATFORM_ERROR', retryable: true, throttled: false }],
    ['401', { status: 401 }, { code: 'PLATFORM_KEY_REFUSED', retryable: false }],
    ['404', { status: 404 }, { code: 'ACTION_NOT_DEPLOYED', retryable: false }],
    ['413', { status: 413 }, { code: 'PLATFORM_REFUSED', retryable: false }],
    ['no answer', { lose: true }, { code: 'PLATFORM_UNREACHABLE', retryable: true }],
  ]
  it.each(cases)('by %s rejects with the code for it', async (_, fault, expected) => {
    platform.faults.add(fault)
    // Fifteen seconds into a minute.
    const engine = create({}, { now: () => 60_000 * 1000 + 15_000 })
    const error = await engine.run(tasks).catch(error => error)
    expect(error).toMatchObject({ name: 'XferError', exitCode: 5, ...expected })
    expect(`${error.message} ${error.hint}`).not.toContain(platform.auth.split(':')[1])
  })

  it('for a wrong key, and where nothing is deployed, says so when its limits are asked for', async () => {
    const [uuid] = platform.auth.split(':')
    await expect(create({ auth: `${uuid}:wrong` }).limits()).rejects.toMatchObject({ code: 'PLATFORM_KEY_REFUSED' })
    await expect(create({}, { action: 'xfer/other' }).limits()).rejects.toMatchObject({ code: 'ACTION_NOT_DEPLOYED' })
  })

  it('where nothing listens says so', async () => {
    const nobody = create({ apihost: 'http://127.0.0.1:1' })
    await expect(nobody.limits()).rejects.toMatchObject({ code: 'PLATFORM_UNREACHABLE', retryable: true })
    await expect(nobody.run(tasks)).rejects.toMatchObject({ code: 'PLATFORM_UNREACHABLE', retryable: true })
  })

  it('by a real limit of the platform rejects as throttled, while the others go on', async () => {
    const narrow = await startDeployed({ limits: { concurrent: 1 } })
    try {
      const engine = createOpenWhiskEngine(settingsFor(narrow))
      engines.push(engine)
      narrow.faults.add({ first: 1, delayMs: 500 })
      expect(await engine.limits()).toMatchObject({ concurrent: 1, perMinute: 100_000 })
      const throttled = eventOf(narrow.activations, 'throttled')
      const results = await Promise.allSettled([engine.run(tasks), engine.run(tasks)])
      await throttled
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(results.find(({ reason }) => reason).reason).toMatchObject({ code: 'PLATFORM_THROTTLED', throttled: true })
    } finally {
      await narrow.close()
    }
  })

  it('by a late answer asks for the record until it is there', async () => {
    platform.faults.add({ accepted: true, recordLateMs: 700 })
    expect(await create().run(tasks)).toMatchObject([{ partNumber: 1, error: { code: 'BAD_TASK' } }])
  })

  it('while it asks for a late record can be cancelled', async () => {
    platform.faults.add({ accepted: true, recordNever: true })
    const controller = new AbortController()
    const done = eventOf(platform.activations, 'activation')
    const running = create().run(tasks, { signal: controller.signal })
    await done
    controller.abort()
    await expect(running).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })
})
