'use strict'

const { mkdtemp, rm, writeFile } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { basename, join } = require('node:path')
const { Worker } = require('node:worker_threads')
const { deploy } = require('../../lib')
const local = require('../../lib/engines/local')
const { createLocalEngine } = require('../../lib/engines/local/engine')
const http = require('../../lib/engines/http')
const openwhisk = require('../../lib/engines/openwhisk')
const { createOpenWhiskEngine } = require('../../lib/engines/openwhisk/engine')
const { startPlatform } = require('../../sandbox/platform')
const { startDeployed } = require('../support/platform')
const { startRelay } = require('../support/relay')
const { startWorkerProcess } = require('../support/worker-process')
const { engineContract } = require('./engine')

const XFER_TOKEN = 'a-token-of-the-tests'

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
    factory: local,
    env: {},
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
/** A task of which the answer matters, not what it does. */
const REQUEST = { method: 'GET', url: 'http://store/', headers: {}, accepts: { statuses: [200] } }
const TASK = { partNumber: 1, bytes: 1, sums: [], read: REQUEST }

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
    factory: openwhisk,
    env: { HOME: __dirname, APIHOST: platform.apihost, AUTH: platform.auth },
    create: () => createOpenWhiskEngine(settingsFor(platform, { apihost: `http://127.0.0.1:${relay.port}` })),
    crash() {
      // An idle one would be given the next activation before anybody has noticed that it is gone.
      for (const pid of platform.containers({ busy: true })) process.kill(pid, 'SIGKILL')
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

engineContract('http', async () => {
  /** One for each time that one is killed, and one more. */
  const workers = await Promise.all(Array.from({ length: 2 }, () => startWorkerProcess({ env: { XFER_TOKEN } })))
  const relays = await Promise.all(workers.map(({ url }) => startRelay(Number(new URL(url).port))))
  const alive = () => workers.flatMap(({ child }, i) => (child.killed ? [] : [`http://127.0.0.1:${relays[i].port}`]))
  return {
    factory: http,
    env: { XFER_TOKEN, XFER_WORKERS: alive().join() },
    create: () =>
      http.open(
        ...[
          { where: 'workers', reach: 'local', from: 'a test', workers: alive(), token: XFER_TOKEN, proxy: () => '' },
          {},
        ],
      ),
    crash() {
      // The first of equal ones gets the first invocation.
      workers.find(({ child }) => !child.killed)?.child.kill('SIGKILL')
    },
    async quiet() {
      expect(relays.reduce((sum, { opened }) => sum + opened(), 0)).toBeGreaterThan(0)
      await Promise.all(relays.map(relay => relay.idle()))
    },
    async close() {
      await Promise.all([...relays, ...workers].map(each => each.close()))
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
  const tasks = [TASK]

  it('for a wrong key, and where nothing is deployed, says so when its limits are asked for', async () => {
    const [uuid] = platform.auth.split(':')
    await expect(create({ auth: `${uuid}:wrong` }).limits()).rejects.toMatchObject({ code: 'PLATFORM_KEY_REFUSED' })
    await expect(create({}, { action: 'xfer/other' }).limits()).rejects.toMatchObject({ code: 'ACTION_NOT_DEPLOYED' })
  })

  it('where nothing listens says so', async () => {
    const nobody = create({ apihost: 'http://127.0.0.1:1' })
    await expect(nobody.limits()).rejects.toMatchObject({ code: 'PLATFORM_UNREACHABLE', retryable: true })
    // Nothing has run there.
    await expect(nobody.run(tasks)).rejects.toMatchObject({
      code: 'PLATFORM_UNREACHABLE',
      retryable: true,
      uncertain: false,
    })
  })
})

describe('the engine openwhisk, by way of a function that fails', () => {
  let platform
  let folder
  const engines = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'xfer-failing-'))
    platform = await startPlatform({ containers: 1, limits: { perMinute: 100_000, timeoutMs: { min: 100 } } })
  })
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close()
  })
  afterAll(async () => {
    await platform?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Deploys this code in place of the action. @param {string} code @param {string} [more] of the manifest */
  async function engineOf(code, more = '', options = {}) {
    // A platform keeps the limits of the action before, where it is given none.
    const limits = more.includes('limits:') ? more : `${more}, limits: { timeout: 60000 }`
    const dir = await mkdtemp(join(folder, 'action-'))
    await writeFile(join(dir, 'index.js'), code)
    const manifest = join(folder, `${basename(dir)}.yaml`)
    const action = `function: ${basename(dir)}, runtime: 'nodejs:20'${limits}`
    await writeFile(manifest, `packages: { xfer: { actions: { copy-range: { ${action} } } } }`)
    await deploy({ manifest, reset: true, env: { HOME: folder, APIHOST: platform.apihost, AUTH: platform.auth } })
    const engine = createOpenWhiskEngine(settingsFor(platform), options)
    engines.push(engine)
    return engine
  }

  const main = body => `exports.main = ${body}`
  it.each([
    ['exits', main('() => process.exit(1)'), '', 'ACTIVATION_EXITED', true],
    ['has no time', main('() => new Promise(() => {})'), ', limits: { timeout: 2000 }', 'ACTIVATION_TIMED_OUT', true],
    ['answers too much', main("() => ({ text: 'x'.repeat(2 ** 20) })"), '', 'PAYLOAD_TOO_LARGE', true],
    ['cannot be loaded', 'this is no JavaScript', '', 'ACTION_BROKEN', false],
    [
      'understands nothing',
      main("() => ({ error: 'The version 1 is unknown.', more: 1 })"),
      '',
      'ACTION_VERSION',
      false,
    ],
  ])('that %s', async (_, code, more, expected, retryable) => {
    const engine = await engineOf(code, more)
    const error = await engine.run([TASK]).catch(error => error)
    expect(error).toMatchObject({ code: expected, retryable, uncertain: retryable, exitCode: 5 })
    expect(error.facts.activationId).toMatch(/^[0-9a-f]{32}$/)
    expect(error.message.length).toBeLessThan(400)
    if (!retryable) expect(error.hint).toBe('Run xfer deploy, then repeat the command.')
  })
})
