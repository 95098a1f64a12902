'use strict'

/**
 * Synthetic stores: they generate the bytes that are read and discard those that are written, without disk and checks, so
 * that the client is measured. The bytes are those of sandbox/common/synthetic.js, whose CRC-32 is known.
 */

const { fork } = require('node:child_process')
const { once } = require('node:events')
const { availableParallelism } = require('node:os')
const { join } = require('node:path')
const { openCalls } = require('./calls')

/** Most cores are for the clients: with one core a store moves more bytes than any client does. */
const CORES_A_WORKER = 4

/**
 * @typedef {object} SyntheticStore
 * @property {string} endpoint
 * @property {string} accessKeyId any is accepted
 * @property {string} secretAccessKey
 * @property {string} region
 * @property {number[]} pids
 * @property {() => Promise<import('./operations').Counters>} counters
 * @property {() => Promise<void>} reset sets the counters to zero
 * @property {(on: boolean) => Promise<void>} check whether the CRC-32 of received bytes is computed, and a wrong one refused
 * @property {(name: string) => Promise<import('./catalog').StoredObject | undefined>} find `bucket/key`
 * @property {(name: string) => Promise<void>} remove
 * @property {() => Promise<void>} close
 */

/**
 * @param {{ made?: Record<string, number>, workers?: number, certificate?: string }} [options] made: `bucket/key` → bytes;
 *   certificate: its folder, to use TLS
 * @returns {Promise<SyntheticStore>}
 */
async function startSyntheticStore({
  made = {},
  workers = Math.max(1, Math.floor(availableParallelism() / CORES_A_WORKER)),
  certificate,
} = {}) {
  const child = fork(join(__dirname, 'main.js'), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const exited = once(child, 'exit')
  const call = openCalls(child, {})
  const died = exited.then(([code]) => Promise.reject(new Error(`a synthetic store ended with ${code}`)))
  died.catch(() => {})
  const { port, pids } = await Promise.race([call('start', { made, workers, certificate }), died])
  return {
    endpoint: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    accessKeyId: 'synthetic-key',
    secretAccessKey: 'synthetic-secret',
    region: 'us-east-1',
    pids,
    counters: () => call('counters'),
    reset: () => call('reset'),
    check: on => call('check', on),
    find: name => call('find', name),
    remove: name => call('remove', name),
    async close() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

module.exports = { startSyntheticStore }
