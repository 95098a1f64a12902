'use strict'

/** One store, platform or worker, a process of its own, that can be killed, and started again as if nothing had been. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { startFaultyRelay } = require('../support/faulty-relay')
const { XFER } = require('../support/run-xfer')
const { ownChild } = require('./leftovers')

const END_LIMIT_MS = 10_000
const FOLDER = join(__dirname, '..', '..', 'sandbox')

/**
 * @typedef {object} Member
 * @property {any} ready what its first line said
 * @property {Promise<void>} exited
 * @property {() => void} kill -9
 * @property {() => Promise<void>} end
 */

/**
 * @param {'store' | 'platform' | 'lambda'} kind
 * @param {Record<string, unknown>} options
 * @param {(event: any) => void} onEvent each line after the first; those that a killed process had written come as well
 * @returns {Promise<Member>}
 */
async function startMember(kind, options, onEvent) {
  const args = [join(FOLDER, kind, 'main.js'), JSON.stringify(options), '--events']
  return await startProcess(kind, args, { tells: 'stdout', onEvent })
}

/** `xfer serve`. @param {{ port?: number, token: string }} options @returns {Promise<Member>} */
async function startWorker({ port = 0, token }) {
  const args = [XFER, 'serve', '--host', '127.0.0.1', '--port', String(port)]
  return await startProcess('worker', args, { tells: 'stderr', env: { ...process.env, XFER_TOKEN: token } })
}

/**
 * @param {string} name
 * @param {string[]} args of Node.js
 * @param {{ tells: 'stdout' | 'stderr', env?: NodeJS.ProcessEnv, onEvent?: (event: any) => void }} how tells: where it writes a line
 *   of JSON when it is ready, and then one for each event
 * @returns {Promise<Member>}
 */
async function startProcess(name, args, { tells, env = process.env, onEvent = () => {} }) {
  // It ends when its standard input does, and Ctrl-C at a terminal is for the soak alone.
  const child = ownChild(spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true }))
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    complaint = (complaint + text).slice(-2000)
  })
  child.stdin.on('error', () => {})
  const exited = once(child, 'exit').then(() => {})
  const lines = createInterface({ input: child[tells] })
  const first = await Promise.race([once(lines, 'line').then(([line]) => line), exited])
  if (first === undefined) throw new Error(`the ${name} did not start: ${complaint.trim()}`)
  lines.on('line', line => onEvent(JSON.parse(line)))
  return {
    ready: JSON.parse(first),
    exited,
    kill: () => void child.kill('SIGKILL'),
    async end() {
      child.kill('SIGTERM')
      child.stdin.destroy()
      const timer = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

/**
 * A relay before the container of a server that outlives the run: when it is killed, the server cannot be reached. Nothing is before
 * a folder of this machine.
 *
 * @param {import('../support/ends').Server} server
 * @param {{ faults: any[], port?: number, container: string, label: () => unknown }} options
 * @param {(event: any) => void} onEvent as of a store: `accessKeyId` is the label
 * @returns {Promise<Member>}
 */
async function startRelay({ endpoint, dialect }, { faults, port, container, label }, onEvent) {
  if (!dialect) return { ready: { endpoint }, exited: new Promise(() => {}), kill() {}, end: async () => {} }
  const relay = await startFaultyRelay(endpoint, { dialect, port, rules: faults, label })
  for (const event of /** @type {const} */ (['begin', 'request'])) {
    relay.on(event, ({ operation, bucketName, key, uploadId, partNumber, label: accessKeyId }) => {
      if (bucketName === container) onEvent({ event, operation, key, uploadId, partNumber, accessKeyId })
    })
  }
  /** @type {() => void} */
  let exit = () => {}
  const exited = new Promise(resolve => {
    exit = () => resolve(undefined)
  })
  const end = () => relay.close().then(exit)
  return { ready: { endpoint: relay.endpoint }, exited, kill: () => void end(), end }
}

module.exports = { startMember, startRelay, startWorker }
