'use strict'

const { fork, spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')

const RUN = join(__dirname, 'fixtures', 'run.js')

/**
 * Another process that works on journals; see fixtures/run.js.
 *
 * @param {string} home of the state
 * @param {{ limit?: string }} [options] limit: what bash is told before it starts the program
 */
async function startRun(home, { limit } = {}) {
  const env = { ...process.env, XDG_STATE_HOME: home }
  const child = limit
    ? spawn('bash', ['-c', `${limit}; exec ${process.execPath} ${RUN}`], { env, stdio: ['ignore', 2, 2, 'ipc'] })
    : fork(RUN, { env })
  const [ready] = await once(child, 'message')
  if (ready !== 'ready') throw new Error('the process is not what it should be')
  return {
    child,
    /** @param {string} call @param {...any} args @returns {Promise<{ answer?: any, code?: string, message?: string }>} */
    async ask(call, ...args) {
      const told = once(child, 'message')
      child.send({ call, args })
      return (await told)[0]
    },
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

module.exports = { startRun }
