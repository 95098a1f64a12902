'use strict'

/** The worker: the action behind HTTP/1.1. docs/design/workers.md has its interface. */

const { randomUUID } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const https = require('node:https')
const { closeConnections } = require('../../../../actions/copy-range')
const { VERSION } = require('../../../../actions/copy-range/failure')
const { version } = require('../../../../package.json')
const { metricText } = require('../../../progress')
const { answer, isForThisMachine, isFromPage, readJson, refuse, runInvocation, tokenCheck } = require('./answers')

/** @typedef {import('node:http').IncomingMessage} ServedRequest */
/** @typedef {import('node:http').ServerResponse} Response */
/** @typedef {{ request: ServedRequest, response: Response, goOn?: () => void }} ServedExchange goOn: tells the caller to send the body */

/** The most bytes of a request's body, and of a result: as much as functions of other platforms may have. */
const PAYLOAD_BYTES = 6_000_000
/** The most tasks of an invocation: far more than real ones fit into its body. */
const MOST_TASKS = 10_000
const MOST_CONNECTIONS = 1_024
/** How long the rest of a request that was refused is read. */
const LINGER_MS = 5_000
/** How often refusals are logged, at most. */
const REFUSALS_MS = 10_000

/** Bounds of what a slow or silent caller can hold. A balancer keeps idle connections for a minute: here they last longer. */
const HTTP_LIMITS = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 1_000,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
}
const TLS_LIMITS = { handshakeTimeout: 10_000 }

/**
 * @typedef {object} WorkerSettings
 * @property {string} host to listen on
 * @property {number} port 0: any
 * @property {string} [token] without it everybody who can connect may call
 * @property {{ cert: string, key: string }} [tls] PEM
 * @property {number} places invocations at once
 * @property {import('../../../types').Access} access
 * @property {number} heartbeatMs how often a running invocation sends a blank
 * @property {number} timeoutMs how long an invocation may run
 * @property {string} [ca] certificates to trust in addition to the usual ones, PEM
 *
 * @typedef {object} Bounds
 * @property {Partial<typeof HTTP_LIMITS>} [limits]
 * @property {number} [mostConnections]
 * @property {number} [lingerMs] how long the rest of a request that was refused is read
 * @property {number} [resultMs] how long a caller may take to read a result
 * @property {() => number} [now] epoch milliseconds
 *
 * @typedef {object} Worker
 * @property {string} url
 * @property {() => Promise<void>} drain takes no more work; resolves when what runs has ended
 * @property {() => Promise<void>} close ends what runs
 */

/**
 * @param {WorkerSettings & Bounds} settings
 * @param {(entry: Record<string, unknown>) => void} log called with each entry: facts without addresses, queries and tokens
 * @returns {Promise<Worker>} once it listens
 * @throws {NodeJS.ErrnoException} if it cannot listen
 */
async function startServer(settings, log) {
  const { host, port, tls, places, timeoutMs, heartbeatMs, mostConnections = MOST_CONNECTIONS } = settings
  const { lingerMs = LINGER_MS } = settings
  const limits = { ...HTTP_LIMITS, ...settings.limits }
  const server = tls ? https.createServer({ ...limits, ...TLS_LIMITS, ...tls }) : http.createServer(limits)
  const connections = boundConnections(server, mostConnections)
  const counters = createCounters()
  const mayCall = tokenCheck(settings.token)
  const cut = new AbortController()
  const id = randomUUID()
  /** @type {Set<Promise<void>>} */
  const running = new Set()
  /** Of those that run, the requests of which the body may still be on its way. @type {Set<ServedRequest>} */
  const arriving = new Set()
  /** By status, since the last entry. @type {Record<number, number>} */
  let unlogged = {}
  let draining = false

  /** @param {ServedExchange} exchange @param {import('./answers').ServeRefusal} code @param {Record<string, string>} [headers] */
  function turnAway({ response, goOn }, code, headers) {
    // A caller that still waits for a 100 sends no body.
    const status = refuse(response, code, { headers, lingerMs: goOn ? 0 : lingerMs })
    counters.refused(status)
    unlogged[status] = (unlogged[status] ?? 0) + 1
  }
  function logRefusals() {
    if (Object.keys(unlogged).length > 0) log({ event: 'refused', requests: unlogged })
    unlogged = {}
  }
  const timer = setInterval(logRefusals, REFUSALS_MS).unref()

  /** @param {ServedExchange} exchange */
  async function run(exchange) {
    const { request } = exchange
    if (draining) return turnAway(exchange, 'DRAINING')
    if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? '')) return turnAway(exchange, 'NOT_JSON')
    if (Number(request.headers['content-length'] ?? 0) > PAYLOAD_BYTES) return turnAway(exchange, 'TOO_LARGE')
    if (running.size >= places) return turnAway(exchange, 'BUSY')
    const release = connections.take(request.socket)
    // A second request before the answer to the first: no caller of ours does that.
    if (!release) return void request.socket.destroy()
    const done = invoke(exchange).finally(release)
    running.add(done)
    try {
      await done
    } finally {
      running.delete(done)
    }
  }

  /** @param {ServedExchange} exchange */
  async function invoke({ request, response, goOn }) {
    const startedMs = Date.now()
    goOn?.()
    arriving.add(request)
    const { value, ...read } = await readJson(request, PAYLOAD_BYTES)
    arriving.delete(request)
    const tooMany = value?.tasks?.length > MOST_TASKS ? 'TOO_MANY_TASKS' : undefined
    const refusal = cut.signal.aborted ? 'DRAINING' : (read.refusal ?? tooMany)
    if (refusal) return turnAway({ request, response }, refusal)
    const { ending, result } = await runInvocation(value, response, { ...settings, cut: cut.signal })
    const ms = Date.now() - startedMs
    log({ event: 'invocation', ending, ms, ...counters.ended(ending, result, ms) })
  }

  const state = () => ({ places, running: running.size, connections: connections.count(), version })
  const description = () => ({
    interface: VERSION,
    version,
    id,
    places,
    running: running.size,
    draining,
    timeoutMs,
    heartbeatMs,
    payloadBytes: PAYLOAD_BYTES,
  })

  /** @type {Record<string, { method: 'GET' | 'POST', open?: true, serve: (exchange: ServedExchange) => unknown }>} open: without a token */
  const routes = {
    '/healthz': { method: 'GET', open: true, serve: ({ response }) => answer(response, 200, 'ok\n') },
    '/readyz': {
      method: 'GET',
      open: true,
      // A full worker is ready: otherwise a balancer that watches this would drop all workers of a busy copy.
      serve: ({ response }) => (draining ? answer(response, 503, 'ending\n') : answer(response, 200, 'ready\n')),
    },
    '/metrics': { method: 'GET', serve: ({ response }) => answer(response, 200, counters.text(state())) },
    '/v1/worker': { method: 'GET', serve: ({ response }) => answer(response, 200, description()) },
    '/v1/run': { method: 'POST', serve: run },
  }

  /** @param {ServedExchange} exchange */
  async function serve(exchange) {
    const { request, response } = exchange
    // Callers that hang up are no failure of this process.
    for (const stream of [request, response]) stream.on('error', () => {})
    const path = request.url?.split('?')[0] ?? ''
    if (!Object.hasOwn(routes, path)) return turnAway(exchange, 'NOT_FOUND')
    const { method, open, serve } = routes[path]
    if (request.method !== method && !(method === 'GET' && request.method === 'HEAD')) {
      return turnAway(exchange, 'METHOD_REFUSED', { allow: method })
    }
    if (!open && (isFromPage(request) || !(settings.token || isForThisMachine(request))))
      return turnAway(exchange, 'PAGE_REFUSED')
    if (!open && !mayCall(request)) return turnAway(exchange, 'TOKEN_REFUSED')
    await serve(exchange)
  }

  /** A defect in one exchange ends that one alone. @param {ServedExchange} exchange */
  const begin = exchange =>
    void serve(exchange).catch(error => {
      if (!exchange.response.writableEnded) exchange.response.destroy()
      log({ event: 'failed', error: error?.name })
    })
  server.on('request', (request, response) => begin({ request, response }))
  server.on('checkContinue', (request, response) => {
    begin({ request, response, goOn: () => response.writeContinue() })
  })

  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: listening } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const url = `${tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${listening}`
  log({ event: 'listening', url, places, version, interface: VERSION })

  async function drain() {
    if (!draining) log({ event: 'draining', running: running.size })
    draining = true
    await Promise.allSettled(running)
  }

  return {
    url,
    drain,
    async close() {
      draining = true
      cut.abort()
      for (const request of arriving) if (!request.complete) request.destroy()
      await Promise.allSettled(running)
      clearInterval(timer)
      logRefusals()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      closeConnections()
      log({ event: 'ended' })
    },
  }
}

/**
 * The connections of a worker, so that silent ones cost little. If there are too many, the one that has been idle for longest
 * ends: idle connections cannot keep callers out.
 */

/** @typedef {import('node:net').Socket} Socket */

/** @param {Pick<Socket, 'remoteAddress' | 'remotePort'>} socket plain or TLS: both have the peer's address */
const peerOf = ({ remoteAddress, remotePort }) => `${remoteAddress} ${remotePort}`

/**
 * @param {import('node:net').Server} server
 * @param {number} most connections at once
 */
function boundConnections(server, most) {
  /** By peer; those without an invocation stand in the order in which they became idle. @type {Map<string, { socket: Socket, busy: boolean }>} */
  const open = new Map()

  server.on('connection', (/** @type {Socket} */ socket) => {
    const peer = peerOf(socket)
    if (open.size >= most) {
      const oldest = [...open].find(([, { busy }]) => !busy)
      if (!oldest) return void socket.destroy()
      open.delete(oldest[0])
      oldest[1].socket.destroy()
    }
    open.set(peer, { socket, busy: false })
    socket.once('close', () => {
      if (open.get(peer)?.socket === socket) open.delete(peer)
    })
  })

  return {
    count: () => open.size,

    /**
     * An invocation begins on this connection.
     *
     * @param {Socket} socket
     * @returns {(() => void) | undefined} ends it; undefined if the connection has one already
     */
    take(socket) {
      const peer = peerOf(socket)
      const own = open.get(peer)
      if (!own || own.busy) return undefined
      own.busy = true
      return () => {
        if (open.get(peer) !== own) return
        open.delete(peer)
        if (!own.socket.destroyed) open.set(peer, { socket: own.socket, busy: false })
      }
    },
  }
}

/** What a worker has done, for its log and for `/metrics`. */

/** @typedef {import('./answers').Ending} Ending */

/** @type {Ending[]} */
const ENDINGS = ['done', 'cancelled', 'cut', 'suspended']

function createCounters() {
  const invocations = new Map(ENDINGS.map(ending => [ending, 0]))
  /** By HTTP status. @type {Map<number, number>} */
  const refused = new Map()
  /** Failed tasks by code, of which the action has few. @type {Map<string, number>} */
  const failures = new Map()
  let [done, failed, bytes, busyMs] = [0, 0, 0, 0]

  return {
    /** @param {number} status */
    refused(status) {
      refused.set(status, (refused.get(status) ?? 0) + 1)
    },

    /**
     * An invocation has ended.
     *
     * @param {Ending} ending
     * @param {any} result of the action
     * @param {number} ms
     * @returns {{ tasks: number, bytes: number, failed?: Record<string, number> }} failed: tasks, by their codes
     */
    ended(ending, result, ms) {
      busyMs += ms
      invocations.set(ending, (invocations.get(ending) ?? 0) + 1)
      const outcomes = /** @type {any[]} */ (result?.outcomes ?? [])
      const good = outcomes.filter(outcome => outcome?.error === undefined)
      const moved = good.reduce((sum, outcome) => sum + outcome.bytes, 0)
      done += good.length
      failed += outcomes.length - good.length
      bytes += moved
      /** @type {Record<string, number>} */
      const codes = {}
      for (const { error } of outcomes) if (error) codes[error.code] = (codes[error.code] ?? 0) + 1
      for (const [code, tasks] of Object.entries(codes)) failures.set(code, (failures.get(code) ?? 0) + tasks)
      return { tasks: outcomes.length, bytes: moved, ...(good.length < outcomes.length && { failed: codes }) }
    },

    /**
     * The text of `/metrics`. It names no store and no key.
     *
     * @param {{ places: number, running: number, connections: number, version: string }} state
     */
    text({ places, running, connections, version }) {
      const cpu = process.cpuUsage()
      /** @param {Map<string | number, number>} counts @param {string} label @returns {Array<[number, Record<string, string | number>]>} */
      const by = (counts, label) => [...counts].map(([of, count]) => [count, { [label]: of }])
      return [
        metricText('xfer_worker_info', 'The version of the worker.', [[1, { version }]]),
        metricText('xfer_places', 'Invocations at once, at most.', [[places]]),
        metricText('xfer_invocations_running', 'Invocations under way.', [[running]]),
        metricText('xfer_connections', 'Open connections of callers.', [[connections]]),
        metricText('xfer_invocations_total', 'Invocations by how they ended.', by(invocations, 'ending')),
        metricText('xfer_busy_seconds_total', 'How long invocations took, added up.', [[busyMs / 1000]]),
        metricText('xfer_tasks_total', 'Parts that were copied, and tasks that failed.', [
          [done, { outcome: 'done' }],
          [failed, { outcome: 'failed' }],
        ]),
        metricText('xfer_task_failures_total', 'Tasks that failed, by code.', by(failures, 'code')),
        metricText('xfer_bytes_total', 'Bytes that were copied.', [[bytes]]),
        metricText('xfer_refused_total', 'Requests that were refused, by HTTP status.', by(refused, 'status')),
        metricText('process_cpu_seconds_total', 'CPU of the process.', [[(cpu.user + cpu.system) / 1e6]]),
        metricText('process_resident_memory_bytes', 'Memory of the process.', [[process.memoryUsage.rss()]]),
      ].join('')
    },
  }
}

module.exports = { startServer }
