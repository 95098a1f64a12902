'use strict'

const { mkdtemp, writeFile } = require('node:fs/promises')
const { basename, join } = require('node:path')
const { Worker } = require('node:worker_threads')
const { deploy } = require('../../lib')
const local = require('../../lib/engines/local')
const { createLocalEngine } = require('../../lib/engines/local/engine')
const http = require('../../lib/engines/http')
const openwhisk = require('../../lib/engines/openwhisk')
const { createOpenWhiskEngine } = require('../../lib/engines/openwhisk/engine')
const { startPlatform } = require('../../sandbox/platform')
const { keep, newFolder, startDeployed } = require('../support/opened')
const { startRelay } = require('../support/relay')
const { startWorkerProcess } = require('../support/worker-process')
const { engineContract, failureContract, quietOf } = require('./engine')

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
  keep({ close: () => spy.mockRestore() })
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
  }
})

const USUAL = { namespace: '_', from: 'a test', insecure: false }

/** @param {{ apihost: string, auth: string }} platform @param {object} [settings] */
const settingsFor = ({ apihost, auth }, settings) => ({ ...USUAL, apihost, auth, ...settings })

engineContract('openwhisk', async () => {
  const platform = await startDeployed()
  const relay = await keep(startRelay(platform.port))
  return {
    factory: openwhisk,
    env: { HOME: __dirname, APIHOST: platform.apihost, AUTH: platform.auth },
    create: () => createOpenWhiskEngine(settingsFor(platform, { apihost: `http://127.0.0.1:${relay.port}` })),
    crash() {
      // An idle one would be given the next activation before anybody has noticed that it is gone.
      for (const pid of platform.containers({ busy: true })) process.kill(pid, 'SIGKILL')
    },
    quiet: quietOf(relay),
  }
})

engineContract('http', async () => {
  /** One for each time that one is killed, and one more. */
  const workers = await Promise.all(Array.from({ length: 2 }, () => keep(startWorkerProcess({ env: { XFER_TOKEN } }))))
  const relays = await Promise.all(workers.map(({ url }) => keep(startRelay(Number(new URL(url).port)))))
  const settings = { where: 'workers', reach: 'local', from: 'a test', token: XFER_TOKEN, proxy: () => '' }
  const alive = () => workers.flatMap(({ child }, i) => (child.killed ? [] : [`http://127.0.0.1:${relays[i].port}`]))
  return {
    factory: http,
    env: { XFER_TOKEN, XFER_WORKERS: alive().join() },
    create: () => http.open({ ...settings, workers: alive() }, {}),
    crash() {
      // The first of equal ones gets the first invocation.
      workers.find(({ child }) => !child.killed)?.child.kill('SIGKILL')
    },
    quiet: quietOf(...relays),
  }
})

let platform
let folder
beforeAll(async () => {
  folder = newFolder()
  const limits = { perMinute: 100_000, timeoutMs: { min: 100 } }
  platform = await keep(startPlatform({ containers: 1, limits }))
})

const BODIES = {
  exits: '() => process.exit(1)',
  'has no time': '() => new Promise(() => {})',
  'answers too much': "() => ({ text: 'x'.repeat(2 ** 20) })",
  'cannot be loaded': 'this is no JavaScript',
  'understands nothing': "() => ({ error: 'The version 1 is unknown.', more: 1 })",
}

/** Deploys it in place of the action. */
async function openFailing(failure) {
  const dir = await mkdtemp(join(folder, 'action-'))
  await writeFile(join(dir, 'index.js'), `exports.main = ${BODIES[failure]}`)
  const manifest = join(folder, `${basename(dir)}.yaml`)
  // A platform keeps the limits of the action before, where it is given none.
  const timeout = failure === 'has no time' ? 2_000 : 60_000
  const action = `function: ${basename(dir)}, runtime: 'nodejs:20', limits: { timeout: ${timeout} }`
  await writeFile(manifest, `packages: { xfer: { actions: { copy-range: { ${action} } } } }`)
  await deploy({ manifest, reset: true, env: { HOME: folder, APIHOST: platform.apihost, AUTH: platform.auth } })
  return createOpenWhiskEngine(settingsFor(platform))
}
const facts = { activationId: expect.stringMatching(/^[0-9a-f]{32}$/) }
failureContract('openwhisk', openFailing, { hint: 'Run xfer deploy, then repeat the command.', facts })
