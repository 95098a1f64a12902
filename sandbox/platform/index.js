'use strict'

/** @import { PlatformOptions, Settings } from './types' */
/** @import { Request } from './invoker' */

const { EventEmitter } = require('node:events')
const { randomBytes, randomUUID } = require('node:crypto')
const { createActivationsApi, createInvocationsApi } = require('./invocations-api')
const { createEntities, createEntitiesApi } = require('./entities-api')
const { createInvoker } = require('./invoker')
const { createPool } = require('../common/processes/pool')
const { createProcessContainers } = require('./process-container')
const { createReaper } = require('../common/processes/group')
const { closeServer, listen, withDefaults } = require('../common/server')
const { createRouter } = require('./router')
const { createTriggersApi } = require('./triggers-api')
const { createServer } = require('./server')
const { createCallFaults } = require('../common/rules')
const { ApiFailure, messages } = require('./errors')

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
 * @property {() => Array<{ name: string, minutes?: number, trigger_payload?: object }>} alarms that were set, by trigger
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
  const activations = createActivationsApi(settings)
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
    const { blocking, extraLogging, fault } = request
    const onlyIfFailed = settings.onlyFailureRecords && blocking && !(extraLogging && throttles.logsMore())
    const invocation = invoker.invoke(request)
    invocation.completed.then(activation => {
      throttles.leave()
      const unwanted = onlyIfFailed && activation.response.statusCode === 0
      if (!fault.recordNever && !unwanted) activations.store(activation)
      events.emit('activation', activation)
    })
    return invocation
  }

  const invocations = createInvocationsApi({ entities, settings, publish })
  const triggers = createTriggersApi({ namespace: settings.namespace, invoke: invocations.invoke })
  const route = createRouter({
    settings,
    faults,
    throttles,
    activations,
    entities: createEntitiesApi({ entities, settings }),
    invocations,
    triggers,
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
    alarms: triggers.alarms,
    async close() {
      await closeServer(server)
      await pool.close()
      await reaper.close()
    },
  }
}

const MIB = 1024 * 1024

/**
 * Upstream: common/scala application.conf, and core/standalone standalone.conf for the two throttles; it has none for extra logging.
 *
 * @type {Settings['limits']}
 */
const LIMITS = {
  concurrent: 30,
  perMinute: 60,
  timeoutMs: { min: 100, max: 300_000, default: 60_000 },
  memoryMB: { min: 128, max: 512, default: 256 },
  payloadBytes: MIB,
  blockingMs: 60_000,
  listed: 200,
  extraLogging: Number.POSITIVE_INFINITY,
}

/** Of a fault, beside what every platform has; see types.d.ts. */
const FAULT_FIELDS = ['message', 'accepted', 'recordNever', 'lost', 'rerun', 'dieLoading', 'unready', 'answer']

/** @param {import('./types').Fault[]} initial */
const createFaults = initial => createCallFaults('invoke', FAULT_FIELDS, initial)

/**
 * The platform's settings: the given options over upstream's defaults.
 *
 * @param {PlatformOptions} [options] see types.d.ts
 * @returns {Settings}
 * @throws {TypeError} for an option or a limit that does not exist
 */
function resolveSettings({ limits = {}, ...options } = {}) {
  const chosen = withDefaults("a platform's limits", LIMITS, limits)
  for (const name of /** @type {const} */ (['timeoutMs', 'memoryMB']))
    chosen[name] = { ...LIMITS[name], ...chosen[name] }
  const defaults = {
    port: 0,
    auth: `${randomUUID()}:${randomBytes(32).toString('hex')}`,
    namespace: 'guest',
    containers: 8,
    runtimes: ['nodejs:20', 'nodejs:18'],
    completionMs: 0,
    onlyFailureRecords: false,
    clock: Date.now,
    file: undefined,
    alarms: false,
    faults: [],
  }
  return { ...withDefaults('a platform', defaults, options), limits: chosen }
}

const MINUTE_MS = 60_000

/**
 * The two throttles of a namespace. Upstream: core/entitlement RateThrottler.scala, ActivationThrottler.scala.
 *
 * `admit` is called first, before the invocation is read; `enter` when it is published. They are separate on purpose:
 * upstream's check and increment are not atomic either, so a burst may exceed the limit.
 *
 * @param {{ concurrent: number, perMinute: number, extraLogging: number, clock: () => number }} options clock gives epoch milliseconds
 */
function createThrottles({ concurrent, perMinute, extraLogging, clock }) {
  let minute = Number.NaN
  let calls = 0
  let logged = 0
  let inFlight = 0

  return {
    /**
     * Counts the call, also a refused one, in its calendar minute (not a rolling one).
     *
     * @throws {ApiFailure} 429 with one of the two texts
     */
    admit() {
      const now = Math.floor(clock() / MINUTE_MS)
      if (now !== minute) {
        minute = now
        calls = 0
        logged = 0
      }
      calls += 1
      if (calls > perMinute) throw new ApiFailure(429, messages.tooManyRequests(calls, perMinute))
      if (inFlight >= concurrent) throw new ApiFailure(429, messages.tooManyConcurrent(inFlight, concurrent))
    },
    /** Whether the header for extra logging still counts, in an invocation that was admitted. */
    logsMore() {
      logged += 1
      return logged <= extraLogging
    },
    enter() {
      inFlight += 1
    },
    leave() {
      inFlight -= 1
    },
  }
}

module.exports = { startPlatform, createThrottles }
