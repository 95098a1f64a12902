'use strict'

/** Runs commands in few processes: a process for each of hundreds of commands takes minutes for starting alone. */

const { fork } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { prepareRun } = require('../../support/run-xfer')

const HOST = join(__dirname, 'host.js')

/** One process. It ends with the first command that does not end in time, or that crashes. */
function startHost() {
  const child = fork(HOST, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
  const closed = once(child, 'close')
  /** What it prints past the streams of its commands: warnings, and why it crashes. */
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      printed += text
    })
  }
  const takePrinted = () => {
    const text = printed
    printed = ''
    return text
  }

  return {
    alive: () => child.connected && child.exitCode === null && child.signalCode === null,
    /** @returns {Promise<{ status: number | null, stdout: string, stderr: string }>} status null: it did not end in time */
    async run({ args, env }, boundMs) {
      const timer = setTimeout(() => child.kill('SIGKILL'), boundMs)
      const answered = once(child, 'message')
      child.send({ args, env })
      const ended = await Promise.race([answered.then(([message]) => message), closed.then(([status]) => ({ status }))])
      clearTimeout(timer)
      const { status, stdout = '', stderr = '' } = ended
      return { status, stdout, stderr: stderr + takePrinted() }
    },
    /** @returns {Promise<string>} what it printed since its last command ended */
    async close() {
      child.kill('SIGKILL')
      await closed
      return takePrinted()
    },
  }
}

/**
 * As many processes as commands run at once.
 *
 * @typedef {ReturnType<typeof createHosts>} Hosts
 */
function createHosts() {
  /** @type {ReturnType<typeof startHost>[]} */
  const idle = []
  return {
    /**
     * @param {string[]} args
     * @param {Record<string, string>} env
     * @param {number} boundMs
     */
    async run(args, env, boundMs) {
      const prepared = prepareRun(args, env)
      const host = idle.pop() ?? startHost()
      try {
        return await host.run(prepared, boundMs)
      } finally {
        prepared.discard()
        if (host.alive()) idle.push(host)
        else await host.close()
      }
    },
    /** Ends all processes. @returns {Promise<string>} what they printed after their last commands */
    async close() {
      const texts = await Promise.all(idle.splice(0).map(host => host.close()))
      return texts.join('')
    },
  }
}

module.exports = { createHosts }
