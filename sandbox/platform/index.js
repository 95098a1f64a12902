'use strict'

const { EventEmitter } = require('node:events')
const { createActionsApi } = require('./actions-api')
const { createActivationsApi } = require('./activations-api')
const { createEntities } = require('./entities')
const { createFaults } = require('./faults')
const { createInvocationsApi } = require('./invocations-api')
const { createInvoker } = require('./invoker')
const { createPackagesApi } = require('./packages-api')
const { createPool } = require('../common/processes/pool')
const { createProcessContainers } = require('./process-container')
const { createReaper } = require('../common/processes/reaper-client')
const { closeServer, listen } = require('../common/server')
const { createRouter } = require('./router')
const { createServer } = require('./server')
const { resolveSettings } = require('./settings')
const { createThrottles } = require('./throttles')

/** @import { Activation, PlatformOptions } from './types' */
/** @import { Request } from './invoker' */

/** The counters that belong to a finished activation's status code. */
const OUTCOMES = /** @type {const} */ (['success', 'applicationErrors', 'developerErrors', 'internalErrors'])

/**
 * @typedef {object} Platform
 * @property {string} apihost `http://127.0.0.1:PORT`
 * @property {string} auth `uuid:key`
 * @property {string} namespace
 * @property {number} port
 * @property {EventEmitter & { counters: Record<string, number> }} activations emits `start`
 *   `{ activationId, action, pid, cold }` when a container is given an activation, `run`
 *   `{ activationId, action, pid }` when the request to run it was written, `activation` with the complete record when it has ended, its
 *   logs are collected and its slot is free again, `stored` with the record when it can be fetched, `throttled` with the text of a 429,
 *   `container-start` and `container-exit` `{ pid, action }`
 * @property {(which?: { busy?: boolean }) => number[]} containers the process ids of the containers; busy: of those at work
 * @property {() => Array<{ pid: number | undefined, action: string, state: string }>} containerStates
 * @property {{ add(...faults: import('./types').Fault[]): void, clear(): void, hits(): number }} faults
 * @property {() => Promise<void>} close leaves no connection, no process and no file
 */

/**
 * Starts a local OpenWhisk platform with one namespace and one key. It speaks the REST API as upstream's controller does and runs
 * actions in processes that answer /init and /run as upstream's node runtime does.
 *
 * @param {PlatformOptions} [options] all of them can be left out:
 *   `host` ('127.0.0.1'), `port` (0, a free one), `auth` (`uuid:key`, random), `namespace` ('guest');
 *   `limits`: `concurrent` (30 activations in flight), `perMinute` (60 a calendar minute), `timeoutMs` ({ min 100, max 300 000, default
 *   60 000 }), `memoryMB` ({ min 128, max 512, default 256 }), `logsMB` ({ min 0, max 10, default 10 }), `perContainer` ({ min 1, max 1, default 1 }: an action's `limits.concurrency`), `payloadBytes` (1 MiB, parameters and
 *   result each), `codeBytes` (48 MiB), `bodyBytes` (50 MiB, any request);
 *   `containers` (8 processes at most; more activations queue), `blockingMs` (60 000, then a blocking invocation answers 202),
 *   `requestMs` (65 000, then any request answers 503), `keepAliveMs` (70 000, then an idle connection is closed),
 *   `coldStartMs` (0, added to the start of a container's process), `completionMs` (0, from the answer until the logs are
 *   collected; until then the activation keeps its container and counts as in flight, and there is no record),
 *   `pauseGraceMs` (10 000, then an idle container is frozen), `idleMs` (600 000, then it is removed), `records` (10 000 activations are kept),
 *   `exitWaitMs` (500, how long a container whose connection broke may take to end), `logWaitMs` (2 000, how long to wait for the end of its logs),
 *   `memoryCheckMs` (100, how often a container's memory is checked; 0 never);
 *   `file` (none; where packages and actions are stored, and loaded from by a platform that starts later),
 *   `clock` (Date.now, plus `clockSkewMs` (0); for the calendar minutes and the header `Date`), `runtimes` (['nodejs:20', 'nodejs:18'], the first is the default one; all run on `node`),
 *   `node` (this process's own), `env` (added to the containers' environment, which inherits only PATH),
 *   `faults` (see types.d.ts, Fault), `containerFactory` (replaces processes in simulations; see types.d.ts, Container)
 * @returns {Promise<Platform>}
 * @throws {TypeError} for an unknown option
 */
async function startPlatform(options) {
  const settings = resolveSettings(options)
  const counters = {
    started: 0,
    cold: 0,
    completed: 0,
    success: 0,
    applicationErrors: 0,
    developerErrors: 0,
    internalErrors: 0,
    throttled: 0,
  }
  const events = Object.assign(new EventEmitter(), { counters })
  const faults = createFaults(settings.faults)
  const throttles = createThrottles({ ...settings.limits, clock: settings.clock })
  const entities = createEntities({ file: settings.file })
  const activations = createActivationsApi({ namespace: settings.namespace, max: settings.records })
  const reaper = createReaper('platform')
  let apihost = ''

  const pool = createPool({
    max: settings.containers,
    coldStartMs: settings.coldStartMs,
    pauseGraceMs: settings.pauseGraceMs,
    idleMs: settings.idleMs,
    create:
      settings.containerFactory ??
      createProcessContainers({ settings, reaper, root: reaper.root, apihost: () => apihost }),
    keyOf: action => `${action.package ?? ''}/${action.name}@${action.revision}`,
    nameOf: action => (action.package ? `${action.package}/${action.name}` : action.name),
    notify: (event, { pid, name }) => events.emit(event, { pid, action: name }),
  })

  const invoker = createInvoker({
    settings,
    apihost: () => apihost,
    pool,
    onStart(start) {
      counters.started += 1
      if (start.cold) counters.cold += 1
      events.emit('start', start)
    },
    onRun: run => events.emit('run', run),
  })

  /** @param {Request} request */
  function publish(request) {
    throttles.enter()
    const invocation = invoker.invoke(request)
    invocation.completed.then(activation => complete(activation, request.fault))
    return invocation
  }

  /** @param {Activation} activation @param {import('./types').Fault} fault */
  function complete(activation, { recordLateMs, recordNever }) {
    throttles.leave()
    counters.completed += 1
    counters[OUTCOMES[activation.response.statusCode]] += 1
    const store = () => {
      activations.store(activation)
      events.emit('stored', activation)
    }
    if (recordLateMs) setTimeout(store, recordLateMs).unref()
    else if (!recordNever) store()
    events.emit('activation', activation)
  }

  const route = createRouter({
    settings,
    faults,
    throttles,
    activations,
    packages: createPackagesApi({ entities, settings }),
    actions: createActionsApi({ entities, settings }),
    invocations: createInvocationsApi({ entities, settings, publish }),
    onThrottled(failure) {
      counters.throttled += 1
      events.emit('throttled', failure.message)
    },
  })

  const server = createServer({ route, settings })
  const { port, origin } = await listen(server, settings)
  apihost = origin

  /** @type {Promise<void> | undefined} */
  let closing
  async function close() {
    await closeServer(server)
    await pool.close()
    await reaper.close()
  }

  return {
    apihost,
    auth: settings.auth,
    namespace: settings.namespace,
    port,
    activations: events,
    containers: ({ busy = false } = {}) =>
      pool.list().flatMap(({ pid, state }) => (pid === undefined || (busy && state !== 'busy') ? [] : pid)),
    containerStates: () => pool.list().map(({ name, ...container }) => ({ ...container, action: name })),
    faults: { add: faults.add, clear: faults.clear, hits: faults.hits },
    close() {
      closing ??= close()
      return closing
    },
  }
}

module.exports = { startPlatform }
