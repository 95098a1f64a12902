'use strict'

/**
 * What all stores on a network have: an endpoint, kept connections, a clock that is corrected by answers; and errors, of a refusal by its
 * status, and of a connection.
 */

const { noRequests } = require('../../cost')
const { XferError, abortReason, redact, usage, withoutSecrets } = require('../../errors')
const { REFUSED, createAgents, explainConnection, isLoopback, isProxied, readBody, send } = require('../../http')

const SILENCE_MS = 30_000
const CONNECT_LIMIT_MS = 10_000
/** The time limit of calls that answer only when their work is done. */
const LONG_MS = 15 * 60_000
/** Most bytes of an answer that is expected to be short. */
const MOST_BYTES = 65_536
/** A smaller difference may come from the time that the answer travelled. */
const SKEW_WORTH_LEARNING_MS = 5 * 60_000
/** A correction of the clock worth another try. Stores refuse a difference of 15 minutes; a small one is normal. */
const SKEW_WORTH_ANOTHER_TRY_MS = 60_000

/**
 * @param {Pick<import('../contract').StoreSettings, 'ca' | 'proxy' | 'silenceMs'>} settings
 * @param {{ now: () => number, guarded?: Parameters<typeof createAgents>[0]['guarded'] }} how now: this machine's clock, epoch milliseconds;
 *   guarded: which addresses are checked where connections are opened, by origin
 */
function createClient({ ca, proxy, silenceMs = SILENCE_MS }, { now, guarded }) {
  const agents = createAgents({ ca, proxy, guarded })
  let skewMs = 0
  /** The quickest answer; and the longest time in which this thread had nothing else to do while it waited for one. */
  let quickestMs = Number.POSITIVE_INFINITY
  let idleMs = 0
  const requests = noRequests()
  const clock = () => now() + skewMs

  /** @param {string} operation @param {string} method */
  function count(operation, method) {
    requests[/^List/.test(operation) ? 'LIST' : /Copy|From URL/.test(operation) ? 'COPY' : method]++
  }

  /** Learns the store's time; small differences are ignored. @param {number} dateMs */
  function learnTime(dateMs) {
    const offMs = dateMs - clock()
    if (Math.abs(offMs) >= SKEW_WORTH_LEARNING_MS) skewMs += offMs
  }

  /**
   * Sends a request; resolves at the head of the answer.
   *
   * @param {{ method: string, url: string, headers: Record<string, string>, body?: Buffer }} request
   * @param {{ long?: boolean, signal?: AbortSignal, operation?: string }} [how] long: it is answered only when its work is done;
   *   operation: the store's name of it
   * @returns {Promise<{ response: import('node:http').IncomingMessage, status: number, headers: Record<string, string> }>} names in lower case
   */
  async function sendHead(request, { long = false, signal, operation = '' } = {}) {
    const agent = agents.of(new URL(request.url).origin)
    const limitMs = long ? LONG_MS : silenceMs
    const connectMs = Math.min(CONNECT_LIMIT_MS, silenceMs)
    const sentMs = now()
    const sent = performance.eventLoopUtilization()
    const response = await send(request, { agent, limitMs, connectMs, signal }).catch(error => {
      if (error.sent) count(operation, request.method)
      throw error
    })
    count(operation, request.method)
    quickestMs = Math.min(quickestMs, now() - sentMs)
    idleMs = Math.max(idleMs, performance.eventLoopUtilization(sent).idle)
    const dateMs = Date.parse(response.headers.date ?? '')
    if (!Number.isNaN(dateMs)) learnTime(dateMs)
    const { statusCode: status = 0 } = response
    return { response, status, headers: /** @type {Record<string, string>} */ (response.headers) }
  }

  return {
    silenceMs,
    requests,
    /** The store's clock, epoch milliseconds. */
    now: clock,
    learnTime,
    /** How far the server is: a first answer takes longer, because this thread is busy with what it loads; 0 before it. */
    roundTripMs: () => Math.min(quickestMs, idleMs),

    /** @returns {() => boolean} whether the clock was corrected since, by so much that another try is worth it */
    watchClock() {
      const beforeMs = skewMs
      return () => Math.abs(skewMs - beforeMs) > SKEW_WORTH_ANOTHER_TRY_MS
    },

    send: sendHead,

    /**
     * A call whose answer is all in its status and headers.
     *
     * @param {Parameters<typeof sendHead>[0]} request
     * @param {{ of: 'read' | 'write', statuses: number[], facts: Record<string, any>, explain: import('../contract').Store['explain'], signal?: AbortSignal }} how
     *   statuses: of success; explain: of the store
     * @returns {Promise<{ status: number, headers: Record<string, string> }>} names in lower case
     * @throws {import('../../types').XferError}
     */
    async ask(request, { of, statuses, facts, explain, signal }) {
      try {
        const { response, status, headers } = await sendHead(request, { signal })
        const body = await readBody(response, { most: MOST_BYTES, silenceMs })
        if (statuses.includes(status)) return { status, headers }
        throw explain({ of, status, body: body?.toString('latin1'), ...retryAfterIn(headers) })
      } catch (cause) {
        throw connectionError(cause, facts, signal)
      }
    },

    close: agents.close,
  }
}

/**
 * The facts of every error of a store.
 *
 * @template {object} Own
 * @param {import('../contract').StoreSettings} settings
 * @param {string} origin of its requests
 * @param {Own} own
 */
function factsOf({ side, alone, proxy, ownProxy }, origin, own) {
  const proxied = { proxied: isProxied(origin, proxy), ...(ownProxy && { ownProxy: true }) }
  return { side, ...(alone && { alone: true }), ...own, ...proxied }
}

/** @typedef {import('../../types').SideName} SideName */
/** @typedef {[url?: string, from?: string]} Endpoint from: what sets it, for messages */

/**
 * The endpoint of a side, from the first place that has one: the option before all others.
 *
 * @param {SideName} side
 * @param {import('../../types').SideOptions} options
 * @param {Endpoint[]} others
 * @returns {Endpoint} empty: nothing sets it
 */
function firstEndpoint(side, { endpointUrl, endpointKept }, others) {
  const flag = side === 'source' ? '--source-endpoint-url' : '--dest-endpoint-url'
  /** @type {Endpoint} */
  const given = [endpointUrl, endpointKept ? `the job; ${flag} sets another one` : flag]
  return [given, ...others].find(([url]) => url !== undefined) ?? []
}

/**
 * @param {string} text
 * @param {SideName} side
 * @param {{ advice: string, ofQuery?: string }} how ofQuery: where a query belongs
 * @returns {URL} without user name, query and fragment
 * @throws {XferError} USAGE
 */
function endpointOf(text, side, { advice, ofQuery = advice }) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bad = (/** @type {string} */ why, more = advice) =>
    usage(`The ${side}'s endpoint "${redact(text)}" ${why}.`, more)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw bad('is not an http or https URL')
  if (url.username || url.password) throw bad('carries a user name or password')
  if (url.search || url.hash) throw bad('carries a query or fragment', ofQuery)
  return url
}

/**
 * A secret that opens more than one request is sent over TLS, or to this machine.
 *
 * @param {string | undefined} endpoint
 * @param {SideName} side
 * @param {{ secret: string, advice: string }} what secret: with its article
 * @throws {XferError} USAGE
 */
function checkPrivate(endpoint, side, { secret, advice }) {
  if (endpoint === undefined) return
  const { protocol, hostname } = new URL(endpoint)
  if (protocol === 'https:' || isLoopback(hostname)) return
  throw usage(`${secret} is not sent to the ${side} ${endpoint}, where all on the way could read it.`, advice)
}

/** By the kind of connection failure. */
const BY_KIND = {
  socket: 'STORE_UNREACHABLE',
  certificate: 'CERTIFICATE_REFUSED',
  protocol: 'NOT_A_STORE',
  shortage: 'TOO_MANY_FILES',
}

/** A store's own codes, by what they mean. @typedef {Partial<Record<import('../../types').XferErrorCode, readonly string[]>>} CodeTable */

/**
 * @param {string | undefined} storeCode
 * @param {...CodeTable} tables the first that has it counts
 * @returns {import('../../types').XferErrorCode | undefined} undefined: none has it
 */
function meaningIn(storeCode = '', ...tables) {
  const found = tables.flatMap(table => Object.entries(table)).find(([, codes]) => codes.includes(storeCode))
  return /** @type {import('../../types').XferErrorCode | undefined} */ (found?.[0])
}

/** @param {Record<string, readonly string[]>} table codes by facts that they stand for @param {string} [storeCode] @returns {Record<string, true>} facts of an error */
function factsIn(table, storeCode = '') {
  const meant = Object.keys(table).filter(fact => table[fact].includes(storeCode))
  return Object.fromEntries(meant.map(fact => [fact, true]))
}

/**
 * What a refusal means: by the store's code, or else by its status.
 *
 * @param {{ status?: number, storeCode?: string }} answer
 * @param {...CodeTable} tables as for `meaningIn`
 * @returns {import('../../types').XferErrorCode}
 */
function classify({ status = 0, storeCode }, ...tables) {
  const known = meaningIn(storeCode, ...tables)
  if (known) return known
  if (status === 401 || status === 403) return 'ACCESS_DENIED'
  if (status === 404) return 'NO_SUCH_KEY'
  if (status === 409 && storeCode === undefined) return 'UPLOAD_CONFLICT'
  if (status === 412) return 'DESTINATION_EXISTS'
  if (status === 429) return 'STORE_THROTTLED'
  if (status === 408 || status >= 500) return status === 501 ? 'STORE_REFUSED' : 'STORE_ERROR'
  return 'STORE_REFUSED'
}

/**
 * The error of a refusal that its status tells all of.
 *
 * @param {import('../contract').Answer} answer
 * @param {Record<string, any>} facts of the store
 * @param {Record<number, import('../../types').XferErrorCode>} [own] what a status means to this store
 */
function explainByStatus({ of, body: _, checksum: __, ...said }, facts, own = {}) {
  const { status = 0 } = said
  const changed = of === 'read' && (status === 412 || status === 416)
  const code = changed ? 'SOURCE_CHANGED' : (own[status] ?? classify(said))
  return new XferError(code, { ...facts, ...said, ...(code === 'NO_SUCH_KEY' && { noSuchKey: true }) })
}

/**
 * The error of a request that got no whole answer.
 *
 * @param {unknown} cause
 * @param {Record<string, any>} about facts
 * @param {AbortSignal} [signal] of the request
 * @returns {import('../../types').XferError} the cause itself if it is one
 */
function connectionError(cause, about, signal) {
  if (cause instanceof XferError) return cause
  if (signal?.aborted) return abortReason(signal)
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
  // By this machine's own guard (lib/http/agents.js).
  if (code === REFUSED) return new XferError('ADDRESS_REFUSED', { ...about, reason: message, here: true }, { cause })
  const connection = explainConnection(code)
  if (!connection) return new XferError('INTERNAL', { ...about, reason: withoutSecrets(String(message)) }, { cause })
  const { kind, reason, words } = connection
  return new XferError(BY_KIND[kind], { ...about, reason, words }, { cause })
}

/**
 * The error of a copy that a store makes by itself.
 *
 * @param {import('../../types').XferError} error
 * @param {readonly string[]} changes codes that mean that the source has changed
 * @param {readonly string[]} refusals codes after which an engine that reads and writes may still succeed
 */
function copyError(error, changes, refusals) {
  const { code, facts, exitCode } = error
  if (changes.includes(code)) return new XferError('SOURCE_CHANGED', facts, { cause: error })
  if (!refusals.includes(code)) return error
  return new XferError('COPY_REFUSED', { ...facts, exit: exitCode }, { cause: error })
}

/**
 * The text as a store's error code. Returns undefined if it does not look like a code, or looks like a secret.
 *
 * @param {string | undefined} text
 * @returns {string | undefined}
 */
function codeOf(text = '') {
  return /^(?!Unknown|\d*$)[\w.-]{1,64}$/.test(text) && withoutSecrets(text) === text ? text : undefined
}

/** @param {Record<string, string>} [headers] of a refusal @returns {{ retryAfterMs?: number }} facts of an error */
function retryAfterIn(headers) {
  const seconds = Number(headers?.['retry-after'])
  return seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}
}

module.exports = {
  checkPrivate,
  createClient,
  endpointOf,
  factsOf,
  firstEndpoint,
  classify,
  codeOf,
  connectionError,
  copyError,
  explainByStatus,
  factsIn,
  meaningIn,
  retryAfterIn,
  usage,
}
