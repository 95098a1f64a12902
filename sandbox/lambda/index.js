'use strict'

/** @import { LambdaOptions, Settings, Version } from './types' */

const { EventEmitter } = require('node:events')
const { randomBytes } = require('node:crypto')
const { createPool } = require('../common/processes/pool')
const { createReaper } = require('../common/processes/group')
const { closeServer, listen, withDefaults } = require('../common/server')
const { createControlApi, createInvokeApi, keyOf } = require('./api')
const { createProcessEnvironments } = require('./environments/process-environment')
const { createFunctions } = require('./functions')
const { createServer } = require('./server')
const { createCallFaults } = require('../common/rules')

/** After which an idle environment is removed; it is frozen at once. */
const IDLE_MS = 600_000

/**
 * @typedef {object} LambdaService
 * @property {string} endpoint `http://127.0.0.1:PORT`
 * @property {string} region
 * @property {string} accessKeyId
 * @property {string} secretAccessKey
 * @property {EventEmitter} events emits `request` when a call was answered, `start`
 *   `{ requestId, function, pid, cold }` when an environment is given an invocation, `run` when its event was delivered, `end`
 *   `{ requestId, function, outcome }`
 * @property {() => Array<{ pid: number | undefined, function: string, state: string }>} environments
 * @property {ReturnType<typeof createFaults>} faults
 * @property {() => Promise<void>} close leaves no connection, no process and no file
 */

/**
 * Starts AWS Lambda on this machine: the API by which functions are made and invoked, with signatures, quotas and errors as
 * AWS documents them. Functions run in processes that speak the Runtime API.
 *
 * @param {LambdaOptions} [options] see types.d.ts; all of them can be left out
 * @returns {Promise<LambdaService>}
 * @throws {TypeError} for an unknown option
 */
async function startLambda(options) {
  const settings = resolveSettings(options)
  const events = new EventEmitter()
  const reaper = createReaper('lambda')
  const faults = createFaults(settings.faults)
  const functions = createFunctions({ settings, root: reaper.root })

  const pool = createPool({
    max: settings.processes,
    pauseGraceMs: 0,
    idleMs: IDLE_MS,
    create: createProcessEnvironments({ settings, reaper, root: reaper.root }),
    keyOf,
    nameOf: (/** @type {Version} */ { name }) => name,
  })

  const invoke = createInvokeApi({ settings, functions, pool, notify: (event, facts) => events.emit(event, facts) })
  const control = createControlApi({
    settings,
    functions,
    retire: ({ latest }) => pool.retire(keyOf(latest)),
  })

  const server = createServer({
    handlers: { ...control, Invoke: invoke },
    faults,
    settings,
    onRequest: facts => events.emit('request', facts),
  })
  const { origin } = await listen(server, settings)

  return {
    endpoint: origin,
    region: settings.region,
    accessKeyId: settings.accessKeyId,
    secretAccessKey: settings.secretAccessKey,
    events,
    environments: () => pool.list().map(({ name, ...environment }) => ({ ...environment, function: name })),
    faults,
    async close() {
      await closeServer(server)
      await pool.close()
      await reaper.close()
    },
  }
}

/** Of a fault, beside what every platform has; see types.d.ts. */
const FAULT_FIELDS = ['code', 'reason', 'retryAfter']

/** @param {import('./types').Fault[]} initial */
const createFaults = initial => createCallFaults('Invoke', FAULT_FIELDS, initial)

/**
 * The service's settings: the given options over AWS's defaults.
 *
 * @param {LambdaOptions} [options] see types.d.ts
 * @returns {Settings}
 * @throws {TypeError} for an option that does not exist
 */
function resolveSettings(options = {}) {
  const defaults = {
    port: 0,
    region: 'us-east-1',
    accessKeyId: `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64'),
    concurrent: 1000,
    processes: 16,
    pendingMs: 300,
    clock: Date.now,
    faults: [],
  }
  return withDefaults('Lambda', defaults, options)
}

module.exports = { startLambda }
