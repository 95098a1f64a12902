'use strict'

/** What all stores on a network have: an endpoint, kept connections, a clock that is corrected by answers, and the facts of their errors. */

const { noRequests } = require('../../cost')
const { redact, usage } = require('../../errors')
const { createAgents, isLoopback, isProxied, readBody, send } = require('../../http')
const { connectionError, retryAfterIn } = require('./errors')

const SILENCE_MS = 30_000
const CONNECT_LIMIT_MS = 10_000
/** The time limit of calls that answer only when their work is done. */
const LONG_MS = 15 * 60_000
/** Of a short answer. */
const MOST_BYTES = 65_536
/** A smaller difference may come from the time that the answer travelled. */
const SKEW_WORTH_LEARNING_MS = 5 * 60_000
/** A correction of the clock worth another try. Stores refuse a difference of 15 minutes; a small one is normal. */
const SKEW_WORTH_ANOTHER_TRY_MS = 60_000

/**
 * @param {Pick<import('../contract').StoreSettings, 'ca' | 'proxy' | 'silenceMs'>} settings
 * @param {{ now: () => number, guarded?: boolean }} how now: this machine's clock, epoch milliseconds; guarded: addresses are
 *   checked where connections are opened
 */
function createClient({ ca, proxy, silenceMs = SILENCE_MS }, { now, guarded }) {
  const agents = createAgents({ ca, proxy, guarded })
  let skewMs = 0
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
    const response = await send(request, { agent, limitMs, connectMs, signal }).catch(error => {
      if (error.sent) count(operation, request.method)
      throw error
    })
    count(operation, request.method)
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

/** @typedef {'source' | 'destination'} Side */
/** @typedef {[url?: string, from?: string]} Endpoint from: what sets it, for messages */

/**
 * The endpoint of a side, from the first place that has one: the option before all others.
 *
 * @param {Side} side
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
 * @param {Side} side
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
 * @param {Side} side
 * @param {{ secret: string, advice: string }} what secret: with its article
 * @throws {XferError} USAGE
 */
function checkPrivate(endpoint, side, { secret, advice }) {
  if (endpoint === undefined) return
  const { protocol, hostname } = new URL(endpoint)
  if (protocol === 'https:' || isLoopback(hostname)) return
  throw usage(`${secret} is not sent to the ${side} ${endpoint}, where all on the way could read it.`, advice)
}

module.exports = { checkPrivate, createClient, endpointOf, factsOf, firstEndpoint }
