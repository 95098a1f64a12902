'use strict'

/**
 * Which workers there are, and the requests to them: small ones, which ask what a worker is, and invocations. Each failure is an
 * error of the table.
 */

const { EXIT, failuresWith, redact, why, withRows } = require('../../errors')
const {
  agent: createAgent,
  environmentProxy,
  exchange,
  optionalCaBundle,
  reachOf,
  readToken,
  webAddress,
} = require('../../http')
const { lostFacts, misfitOf, readJson, retryAfterMs } = require('../common')

/**
 * @typedef {import('../contract').EngineSettings & {
 *   workers: string[], token?: string, ca?: string, proxy: import('../../http/agents').FindProxy
 * }} WorkersSettings workers: URLs without a trailing slash; ca: certificates to trust in addition to the usual ones, PEM
 */

/**
 * @param {{ worker?: string | string[], caBundle?: string }} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<WorkersSettings | undefined>} undefined if there is no worker
 * @throws {XferError} USAGE if an address is none, or if the token cannot be read
 */
async function readSettings({ worker, caBundle }, env) {
  const given = worker === undefined ? (env.XFER_WORKERS ?? '').split(',') : [worker].flat()
  const texts = given.map(text => text.trim()).filter(Boolean)
  if (texts.length === 0 && worker === undefined) return undefined
  const workers = [...new Set((texts.length > 0 ? texts : ['']).map(readAddress))]
  return {
    where: workers.length === 1 ? workers[0] : `${workers.length} workers`,
    reach: workers.every(url => reachOf(url) === 'local') ? 'local' : 'network',
    from: worker === undefined ? 'the environment' : '--worker',
    workers,
    token: readToken(env),
    ca: await optionalCaBundle(caBundle, env),
    proxy: environmentProxy(env),
  }
}

/** @param {string} text */
function readAddress(text) {
  const wrong = `The worker "${redact(text)}" is not an http or https URL.`
  return webAddress(text, wrong, 'Give it as https://host:port, without a query. The token is XFER_TOKEN.')
}

/**
 * What a worker says of itself.
 *
 * @typedef {{ places: number, timeoutMs: number, heartbeatMs: number, payloadBytes: number }} About
 */

const CONNECT_MS = 10_000
/** A container may have to be started first. */
const START_MS = 60_000
/** So many heartbeats without a byte, before the head too: the worker is gone, or what is between. */
const SILENT_BEATS = 2.5
const USUAL_BEAT_MS = 10_000
/** The least bytes of a request in a millisecond: a slow network is told from one that is gone. */
const LEAST_RATE = 32
/** The most bytes of an answer: some times what a worker sends. */
const MOST_BYTES = 32 * 1024 ** 2

/**
 * @param {WorkersSettings} settings
 * @param {{ connections?: number, ca?: string }} [how] connections: idle ones to keep to each worker; ca: more certificates to trust, PEM
 */
function openWorkers({ workers, token, ca: own, proxy }, { connections, ca: more } = {}) {
  const ca = [own, more].filter(Boolean).join('') || undefined
  const agents = new Map(workers.map(url => [url, createAgent(url, { ca, proxy, maxFreeSockets: connections })]))
  const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  /** By worker, as it says. @type {Map<string, number>} */
  const beats = new Map()

  /**
   * @param {string} worker
   * @param {{ method: string, path: string, body?: Buffer }} request
   * @param {{ signal?: AbortSignal, headMs?: number }} how headMs: default as for the body
   * @returns {Promise<WorkerAnswer>}
   */
  async function ask(worker, { method, path, body }, { signal, headMs }) {
    const agent = /** @type {import('node:http').Agent} */ (agents.get(worker))
    const sized = body && { 'content-type': 'application/json', 'content-length': String(body.length) }
    const silenceMs = SILENT_BEATS * (beats.get(worker) ?? USUAL_BEAT_MS)
    const limitMs = (headMs ?? silenceMs) + (body?.length ?? 0) / LEAST_RATE
    const request = { method, url: `${worker}${path}`, headers: { ...headers, ...sized }, body }
    // A running invocation sends a blank now and then, for as long as it takes.
    const bounds = { connectMs: CONNECT_MS, limitMs, silenceMs, answerMs: Number.POSITIVE_INFINITY, late: true }
    const answer = await exchange(request, { agent, signal, ...bounds, most: MOST_BYTES }).catch(error => {
      throw error instanceof XferError ? error : explainLost(error, worker)
    })
    const value = readJson(answer.body)
    return { ...answer, document: typeof value === 'object' && value !== null ? value : undefined }
  }

  return {
    /**
     * @param {string} worker
     * @param {{ signal?: AbortSignal, starting?: boolean }} [how] starting: it may have to be started first
     * @returns {Promise<About>}
     * @throws {import('../../types').XferError} ACTION_VERSION if it does not fit this xfer
     */
    async about(worker, { signal, starting = false } = {}) {
      const answer = await ask(
        worker,
        { method: 'GET', path: '/v1/worker' },
        { signal, headMs: starting ? START_MS : CONNECT_MS },
      )
      const { document, status } = answer
      if (status !== 200) throw explainAnswer(answer, worker)
      const about = readAbout(document)
      if (!about) throw failure('NOT_A_PLATFORM', { ...factsOf(worker), reason: 'it answers with something else' })
      const misfit = misfitOf(document.interface, actionOf(worker))
      if (misfit) throw misfit
      if (document.draining) throw failure('WORKER_LOST', { where: worker, reason: 'it is ending', uncertain: false })
      beats.set(worker, about.heartbeatMs)
      return about
    },

    /**
     * One invocation.
     *
     * @param {string} worker
     * @param {object} params
     * @param {{ signal?: AbortSignal }} how an abort hangs up, which ends the work
     * @returns {Promise<any>} the action's result
     */
    async run(worker, params, { signal }) {
      const body = Buffer.from(JSON.stringify(params))
      const answer = await ask(worker, { method: 'POST', path: '/v1/run', body }, { signal })
      if (answer.status !== 200 || !answer.document) throw explainAnswer(answer, worker)
      return answer.document
    },

    close() {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

/** Facts for errors about the interface of a worker. @param {string} worker */
function actionOf(worker) {
  return { action: 'copy-range', where: worker, deployCommand: 'xfer serve of this version there' }
}

/** @param {any} document @returns {About | undefined} */
function readAbout(document) {
  const { interface: version, places, timeoutMs, heartbeatMs, payloadBytes } = document ?? {}
  const counts = [places, timeoutMs, heartbeatMs, payloadBytes]
  if (!Number.isSafeInteger(version) || !counts.every(count => Number.isSafeInteger(count) && count > 0))
    return undefined
  return { places, timeoutMs, heartbeatMs: Math.min(Math.max(heartbeatMs, 1_000), 60_000), payloadBytes }
}

/** Translates what workers, and what stands before them, answer into errors. Pure. Nothing of a body is repeated. */

/** document: the JSON of its body, if that is an object. @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, document: any }} WorkerAnswer */
/** @typedef {import('../../types').XferError} XferError */

const MOST_WAIT_MS = 60_000

/** The codes with which a worker refuses a request (docs/design/workers.md). */
const REFUSALS = new Set([
  ...['BAD_REQUEST', 'INCOMPLETE', 'TOKEN_REFUSED', 'PAGE_REFUSED', 'NOT_FOUND', 'METHOD_REFUSED'],
  ...['TOO_LARGE', 'TOO_MANY_TASKS', 'NOT_JSON', 'BUSY', 'DRAINING'],
])

/**
 * The error of a request that was not answered.
 *
 * @param {import('../../http/send').Lost} error
 * @param {string} where the worker's address
 * @returns {XferError}
 */
function explainLost(error, where) {
  const { code, ...why } = lostFacts(error)
  const sent = error.sent !== false
  const ofWorker = code === 'PLATFORM_UNREACHABLE' || (code === 'NOT_A_PLATFORM' && sent)
  const own = sent ? 'WORKER_LOST' : 'WORKER_UNREACHABLE'
  return failure(ofWorker ? own : code, { ...factsOf(where), ...why, exit: EXIT.ENGINE }, { cause: error })
}

/**
 * The error of an answer that is not the expected one. A worker's own refusal has a code, and means that nothing has begun.
 * The same status without one is of something before the worker: a gateway, an ingress, a platform for containers.
 *
 * @param {WorkerAnswer} answer
 * @param {string} where
 * @returns {XferError}
 */
function explainAnswer({ status, headers, document }, where) {
  const facts = { ...factsOf(where), status }
  const own = REFUSALS.has(document?.error?.code)
  if (status === 413) return failure('PAYLOAD_TOO_LARGE', { ...facts, uncertain: false })
  if (status === 429) {
    const reason = own ? 'all its places are taken' : undefined
    return failure('PLATFORM_THROTTLED', { ...facts, reason, throttle: 'concurrent', ...waitOf(headers) })
  }
  if (own && (status === 401 || status === 403)) return failure('PLATFORM_KEY_REFUSED', facts)
  if (status >= 500 || status === 408 || (status === 400 && own)) {
    const reason = `HTTP ${status}`
    return failure('WORKER_LOST', { ...facts, reason, ...(own && { uncertain: false }), ...waitOf(headers) })
  }
  // Cut by what stands before the worker, or an answer of something else.
  if (status === 200) return new XferError('WORKER_LOST', { where, reason: 'its answer is not JSON' })
  const reason = status >= 300 && status < 400 ? `HTTP ${status}, a redirect` : `HTTP ${status}`
  return failure('NOT_A_PLATFORM', { ...facts, reason, gateway: !own && (status === 401 || status === 403) })
}

/** @param {import('node:http').IncomingHttpHeaders} headers */
function waitOf(headers) {
  const askedMs = retryAfterMs(headers)
  return askedMs === undefined ? {} : { retryAfterMs: Math.min(askedMs, MOST_WAIT_MS) }
}

/** Errors of workers: what to do about them, and the rows that no other engine has. */

const REACH = 'Check that xfer serve runs there, and the network.'

/** What to do, by code. @type {import('../../errors').Advice} */
const ADVICE = {
  NO_PLATFORM: () => 'Name workers by --worker URL or in XFER_WORKERS; xfer serve starts one.',
  PLATFORM_UNREACHABLE: () => REACH,
  NOT_A_PLATFORM: f =>
    f.gateway
      ? 'A gateway or a platform asks for credentials of its own: let it pass requests on without them; xfer serve checks XFER_TOKEN.'
      : 'Check the address: it must be one at which xfer serve listens, with http or https as it does.',
  PLATFORM_KEY_REFUSED: () => 'Set XFER_TOKEN to the token that the worker was started with.',
  PLATFORM_THROTTLED: () =>
    'Lower --concurrency, start more workers or give them more --places, or raise the limit of what stands before them.',
}

/** @type {Record<string, import('../../errors').ErrorRow>} */
const ROWS = {
  WORKER_UNREACHABLE: {
    exit: EXIT.ENGINE,
    message: f => `The worker ${f.where} cannot be reached (${why(f)}).`,
    hint: () => REACH,
    retryable: true,
    blameless: true,
  },
  WORKER_LOST: {
    exit: EXIT.ENGINE,
    message: f => `The worker ${f.where}, or what stands before it, failed (${why(f)}).`,
    hint: () => 'Look at their logs; if the worker had too little memory, start it with fewer --places.',
    retryable: true,
    uncertain: true,
    blameless: true,
  },
}

/** The class with these rows in its table. */
const XferError = withRows(ROWS)

/** Makes an error with the advice for this engine. */
const failure = failuresWith(ADVICE)

/** Facts for errors about a worker. @param {string} where its address */
const factsOf = where => ({ where, platform: `the worker ${where}` })

module.exports = { ROWS, actionOf, failure, openWorkers, readSettings }
