'use strict'

/** Who may call a worker, and its answers: to requests that start nothing, and to invocations. */

const { createHash, timingSafeEqual } = require('node:crypto')
const { main } = require('../../../../actions/copy-range')
const { isLoopback } = require('../../../http')

/** By code: the status, what happened, and headers of its own. */
const REFUSALS = /** @type {const} */ ({
  BAD_REQUEST: [400, 'The body is not JSON.'],
  INCOMPLETE: [400, 'The body ended early.'],
  TOKEN_REFUSED: [401, 'The token is missing or wrong.', { 'www-authenticate': 'Bearer' }],
  PAGE_REFUSED: [
    403,
    'Pages in browsers may not use a worker; one without a token is called by names of this machine alone.',
  ],
  NOT_FOUND: [404, 'There is nothing at this path.'],
  METHOD_REFUSED: [405, 'The path does not have this method.'],
  TOO_LARGE: [413, 'The body is larger than a worker takes.'],
  TOO_MANY_TASKS: [413, 'An invocation has at most 10,000 tasks.'],
  NOT_JSON: [415, 'The body must be application/json.'],
  BUSY: [429, 'All places are taken.', { 'retry-after': '1' }],
  DRAINING: [503, 'The worker is ending and takes no more work.'],
})

/** @typedef {keyof typeof REFUSALS} ServeRefusal */

/**
 * Refuses a request, and ends its connection. What else comes of the request is read for a while, and thrown away: a connection
 * that is closed before is reset, and then the caller may lose the answer.
 *
 * @param {import('node:http').ServerResponse} response
 * @param {ServeRefusal} code
 * @param {{ headers?: Record<string, string>, lingerMs: number }} how lingerMs: how long the rest may take; 0: nothing else will come
 * @returns {number} the status
 */
function refuse(response, code, { headers, lingerMs }) {
  const [status, message, own] = /** @type {readonly [number, string, Record<string, string>?]} */ (REFUSALS[code])
  const body = { error: { code, message } }
  writeAnswer(response, status, body, { ...own, ...headers, connection: 'close' })
  void discardRest(response.req, lingerMs).then(() => response.end())
  return status
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {object | string} body an object is sent as JSON
 * @param {Record<string, string>} [headers]
 */
function answer(response, status, body, headers) {
  writeAnswer(response, status, body, headers)
  response.end()
}

/** All of an answer but the end of its exchange. @type {typeof answer} */
function writeAnswer(response, status, body, headers) {
  const text = typeof body === 'string' ? body : `${JSON.stringify(body)}\n`
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  const length = String(Buffer.byteLength(text))
  response.writeHead(status, {
    'content-type': type,
    'content-length': length,
    'cache-control': 'no-store',
    ...headers,
  })
  response.write(text)
}

/** Reads the body of a request. */

/** The most that is read of a request only to be thrown away: more than the longest body that a worker takes. */
const DISCARDED_BYTES = 8_000_000

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {number} most bytes
 * @returns {Promise<{ value?: any, refusal?: ServeRefusal }>} value: of the JSON
 */
async function readJson(request, most) {
  /** @type {Buffer[]} */
  const pieces = []
  let bytes = 0
  try {
    // The answer needs the connection, also if the rest is not read.
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      bytes += piece.length
      if (bytes > most) return { refusal: 'TOO_LARGE' }
      pieces.push(piece)
    }
  } catch {
    return { refusal: 'INCOMPLETE' }
  }
  try {
    return { value: JSON.parse(Buffer.concat(pieces).toString()) }
  } catch {
    return { refusal: 'BAD_REQUEST' }
  }
}

/**
 * Reads what is left of a request, and throws it away.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {number} limitMs
 * @returns {Promise<void>} resolves once it has ended, or is too large or too slow
 */
function discardRest(request, limitMs) {
  if (request.complete || request.destroyed || limitMs === 0) return Promise.resolve()
  return new Promise(resolve => {
    let bytes = 0
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, limitMs)
    request.on('close', end).on('end', end)
    request.on('data', piece => {
      bytes += piece.length
      if (bytes > DISCARDED_BYTES) end()
    })
    request.resume()
  })
}

/** Who may call a worker. */

/** @param {string} text */
const digestOf = text => createHash('sha256').update(text).digest()

/**
 * @param {string | undefined} token undefined: everybody who can connect may call
 * @returns {(request: import('node:http').IncomingMessage) => boolean} whether the request has the token. Digests are compared,
 *   so that the time depends neither on the token nor on its length
 */
function tokenCheck(token) {
  if (token === undefined) return () => true
  const expected = digestOf(token)
  return ({ headers }) => {
    const [, given = ''] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
    return timingSafeEqual(digestOf(given), expected)
  }
}

/**
 * Whether a page in a browser sent the request: browsers say where the page is from. No page may use the worker of the machine
 * that shows it, also if the worker has no token.
 *
 * @param {import('node:http').IncomingMessage} request
 */
function isFromPage({ headers }) {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
}

/** A page's own host may be looked up as this machine; then a browser says neither of those. @param {import('node:http').IncomingMessage} request */
function isForThisMachine({ headers: { host } }) {
  const url = `http://${host}`
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
}

/**
 * One invocation. The answer begins at once: its head, a blank now and then, the result's JSON last. A balancer would cut a
 * silent connection, most after a minute. Blanks may stand before JSON, so the whole body is one JSON text (RFC 8259).
 */

/** @typedef {'done' | 'cancelled' | 'cut' | 'suspended'} Ending cancelled: by the caller, who hung up, or does not read the result; cut: by the end of the worker */

/**
 * A worker that was suspended for so many of its heartbeats ends its invocations: their callers have given them up (after
 * 2.5 of them), and may have copied the parts elsewhere. Nothing of an old invocation may be written after that.
 */
const SUSPENDED_BEATS = 2
/** Below this a process may merely be busy. */
const LEAST_SUSPENDED_MS = 2_000

/** How long a caller may take to read the result. */
const RESULT_MS = 30_000

/** What one invocation may do at once: a bound of its memory. */
const MOST_PARALLEL = 16

/**
 * @param {unknown} params of the action
 * @param {import('node:http').ServerResponse} response
 * @param {object} how
 * @param {import('../../../types').Access} how.access the worker's rules: whatever the caller says of them is replaced
 * @param {number} how.heartbeatMs
 * @param {number} how.timeoutMs how long it may run
 * @param {string} [how.ca] certificates to trust in addition to the usual ones, PEM
 * @param {AbortSignal} how.cut ends it at once
 * @param {number} [how.resultMs] how long the caller may take to read the result
 * @param {() => number} [how.now]
 * @returns {Promise<{ ending: Ending, result: any }>} once the result is on its way, as far as this process is concerned
 */
async function runInvocation(params, response, how) {
  const { access, heartbeatMs, timeoutMs, ca, cut, resultMs = RESULT_MS, now = Date.now } = how
  const controller = new AbortController()
  /** @type {Ending} */
  let ending = 'done'
  let beatMs = now()
  /** @param {Ending} why */
  const end = why => {
    if (controller.signal.aborted) return
    ending = why
    controller.abort()
  }
  const suspendedMs = Math.max(SUSPENDED_BEATS * heartbeatMs, LEAST_SUSPENDED_MS)
  const endIfSuspended = () => now() - beatMs > suspendedMs && end('suspended')
  const timer = setInterval(() => {
    endIfSuspended()
    beatMs = now()
    if (!response.destroyed) response.write(' ')
  }, heartbeatMs)
  const onClose = () => end('cancelled')
  const onCut = () => end('cut')
  response.once('close', onClose)
  cut.addEventListener('abort', onCut, { once: true })
  if (cut.aborted) onCut()
  response.writeHead(200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  response.write(' ')
  try {
    const deadlineMs = now() + timeoutMs
    const result = await main(bounded(params, access), {
      signal: controller.signal,
      ca,
      deadlineMs,
      onBytes: endIfSuspended,
    })
    clearInterval(timer)
    response.off('close', onClose)
    if (ending === 'done' && (await sendResult(response, result, { resultMs, cut }))) return { ending: 'done', result }
    // Without a result the caller knows that it must ask the destination.
    response.destroy()
    return { ending: ending === 'done' ? 'cancelled' : ending, result }
  } finally {
    clearInterval(timer)
    response.off('close', onClose)
    cut.removeEventListener('abort', onCut)
  }
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {unknown} result
 * @param {{ resultMs: number, cut: AbortSignal }} bounds
 * @returns {Promise<boolean>} whether all of it was handed to the system
 */
function sendResult(response, result, { resultMs, cut }) {
  return new Promise(resolve => {
    const end = () => response.destroy()
    const timer = setTimeout(end, resultMs)
    cut.addEventListener('abort', end, { once: true })
    const over = (/** @type {boolean} */ sent) => {
      clearTimeout(timer)
      cut.removeEventListener('abort', end)
      resolve(sent)
    }
    // 'finish' comes also if the connection was cut. It comes first here, before the server lets go of the connection.
    const { socket } = response
    response.prependOnceListener('finish', () => over(!socket?.destroyed)).once('close', () => over(false))
    response.end(JSON.stringify(result))
  })
}

/** @param {unknown} params @param {import('../../../types').Access} access @returns {unknown} the parameters, with the worker's own rules */
function bounded(params, access) {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params
  const { parallel } = /** @type {{ parallel?: unknown }} */ (params)
  const most = typeof parallel === 'number' && parallel > MOST_PARALLEL ? { parallel: MOST_PARALLEL } : {}
  return { ...params, ...most, access }
}

module.exports = { answer, isForThisMachine, isFromPage, readJson, refuse, runInvocation, tokenCheck }
