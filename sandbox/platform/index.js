'use strict'

const { EventEmitter } = require('node:events')
const { createActivationsApi } = require('./activations-api')
const { createEntities } = require('./entities')
const { createEntitiesApi } = require('./entities-api')
const { createInvocationsApi } = require('./invocations-api')
const { createInvoker } = require('./invoker')
const { createPool } = require('../common/processes/pool')
const { createProcessContainers } = require('./process-container')
const { createReaper } = require('../common/processes/reaper-client')
const { closeServer, listen } = require('../common/server')
const { createRouter } = require('./router')
const { createServer } = require('./server')
const { createFaults, resolveSettings } = require('./settings')
const { createThrottles } = require('./throttles')

/** @import { PlatformOptions } from './types' */
/** @import { Request } from './invoker' */

/** After that an idle container is frozen, and after that removed. */
const PAUSE_GRACE_MS = 10_000
const IDLE_MS = 600_000

/**
 * @typedef {object} Platform
 * @property {string} apihost `http://127.0.0.1:PORT`
 * @property {string} auth `uuid:key`
 * @property {string} namespace
 * @property {number} port
 * @property {EventEmitter & { counters: Record<string, number> }} activations emits `start`
 *   `{ activationId, action, pid, cold }` when a container is given an activation, `run`
 *   `{ activationId, action, pid }` when the request to run it was written, `activation` with the complete record when it has ended, its
 *   slot is free again, `output` with what an action writes
 * @property {(which?: { busy?: boolean }) => number[]} containers the process ids of the containers; busy: of those at work
 * @property {ReturnType<typeof createFaults>} faults
 * @property {() => Promise<void>} close leaves no connection, no process and no file
 */

/**
 * Starts a local OpenWhisk platform with one namespace and one key. It speaks the REST API as upstream's controller does and runs
 * actions in processes that answer /init and /run as upstream's node runtime does.
 *
 * @param {PlatformOptions} [options] see types.d.ts; all of them can be left out
 * @returns {Promise<Platform>}
 * @throws {TypeError} for an unknown option
 */
async function startPlatform(options) {
  const settings = resolveSettings(options)
  const counters = { started: 0 }
  const events = Object.assign(new EventEmitter(), { counters })
  const faults = createFaults(settings.faults)
  const throttles = createThrottles({ ...settings.limits, clock: settings.clock })
  const entities = createEntities(settings.file)
  const activations = createActivationsApi({ namespace: settings.namespace })
  const reaper = createReaper('platform')
  let apihost = ''

  const pool = createPool({
    max: settings.containers,
    pauseGraceMs: PAUSE_GRACE_MS,
    idleMs: IDLE_MS,
    create: createProcessContainers({
      reaper,
      root: reaper.root,
      apihost: () => apihost,
      onOutput: text => events.emit('output', text),
    }),
    keyOf: action => `${action.package ?? ''}/${action.name}@${action.revision}`,
    nameOf: action => (action.package ? `${action.package}/${action.name}` : action.name),
  })

  const invoker = createInvoker({
    settings,
    apihost: () => apihost,
    pool,
    notify(event, facts) {
      if (event === 'start') counters.started += 1
      events.emit(event, facts)
    },
  })

  /** @param {Request} request */
  function publish(request) {
    throttles.enter()
    const invocation = invoker.invoke(request)
    invocation.completed.then(activation => {
      throttles.leave()
      if (!request.fault.recordNever) activations.store(activation)
      events.emit('activation', activation)
    })
    return invocation
  }

  const route = createRouter({
    settings,
    faults,
    throttles,
    activations,
    entities: createEntitiesApi({ entities, settings }),
    invocations: createInvocationsApi({ entities, settings, publish }),
  })

  const server = createServer({ route, settings })
  const { port, origin } = await listen(server, settings)
  apihost = origin

  return {
    apihost,
    auth: settings.auth,
    namespace: settings.namespace,
    port,
    activations: events,
    containers: ({ busy = false } = {}) =>
      pool.list().flatMap(({ pid, state }) => (pid === undefined || (busy && state !== 'busy') ? [] : pid)),
    faults,
    async close() {
      await closeServer(server)
      await pool.close()
      await reaper.close()
    },
  }
}

module.exports = { startPlatform }
