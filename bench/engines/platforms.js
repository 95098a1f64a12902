'use strict'

/** What runs functions, by the name of the engine: its processes, and what a command must know of them. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { deploy } = require('../../lib')
const { lambdaEnvironment, startMember } = require('../../sandbox/sandbox')

const XFER = join(__dirname, '..', '..', 'cli', 'xfer.js')
const TOKEN = 'token-of-a-benchmark'
/** As hosted platforms have it; Lambda's limits are those of an account with 1,000 at once. */
const QUOTA = { perMinute: 600, concurrent: 100 }

/** @typedef {{ env: Record<string, string>, pids: number[], close: () => Promise<unknown> }} Platform */

/** @returns {Promise<Platform>} a worker, which is ended by its standard input if this process goes */
async function startWorker() {
  const child = spawn(process.execPath, [XFER, 'serve', '--host', '127.0.0.1', '--port', '0'], {
    env: { PATH: process.env.PATH, XFER_TOKEN: TOKEN },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stderr }), 'line')
  return {
    env: { XFER_WORKERS: JSON.parse(line).url, XFER_TOKEN: TOKEN },
    pids: [/** @type {number} */ (child.pid)],
    async close() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** How each is started, with so many functions at once. @type {Record<string, (places: number) => Promise<Platform>>} */
const PLATFORMS = {
  async local() {
    return { env: {}, pids: [], close: async () => {} }
  },

  async openwhisk(containers) {
    const { ready, pid, end } = await startMember('platform', { limits: QUOTA, containers })
    const env = { APIHOST: ready.apihost, AUTH: ready.auth }
    await deploy({ env: { HOME: '/nonexistent', ...env } })
    return { env, pids: [pid], close: end }
  },

  async lambda(processes) {
    const { ready, pid, end } = await startMember('lambda', { processes })
    const env = lambdaEnvironment(ready)
    // The sandbox's Lambda takes any role.
    await deploy({
      engine: 'lambda',
      role: 'arn:aws:iam::123456789012:role/bench',
      env: { HOME: '/nonexistent', ...env },
    })
    return { env, pids: [pid], close: end }
  },

  async http(count) {
    const workers = await Promise.all(Array.from({ length: count }, startWorker))
    return {
      env: { ...workers[0].env, XFER_WORKERS: workers.map(({ env }) => env.XFER_WORKERS).join() },
      pids: workers.flatMap(({ pids }) => pids),
      close: () => Promise.all(workers.map(worker => worker.close())),
    }
  },
}

module.exports = { PLATFORMS, XFER }
