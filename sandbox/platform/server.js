'use strict'

const { randomBytes } = require('node:crypto')
const http = require('node:http')
const { setTimeout: delay } = require('node:timers/promises')
const { ApiFailure, messages } = require('./errors')
const { isObject, parseJson } = require('./outcome')

/** @import { Call, Reply } from './router' */

/** After that an idle connection is closed; pekko-http's idle-timeout. */
const KEEP_ALIVE_MS = 70_000
/** How much is read of a body that is refused for its size. */
const MOST_DISCARDED_BYTES = 256 * 1024 ** 2

/**
 * @param {http.IncomingMessage} request
 * @param {number} maxBytes
 * @returns {Promise<Record<string, unknown>>}
 */
async function readObject(request, maxBytes) {
  const chunks = []
  const declared = Number(request.headers['content-length'] ?? 0)
  let length = 0
  // The body is read to its end: a client that is still sending would see a reset connection instead of the refusal.
  for await (const chunk of request) {
    length += chunk.length
    if (length <= maxBytes && declared <= maxBytes) chunks.push(chunk)
    else if (length > MOST_DISCARDED_BYTES) break
  }
  if (length > maxBytes) throw new ApiFailure(413, messages.tooLarge('Request', Math.max(length, declared), maxBytes))
  if (length === 0) return {}
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new ApiFailure(415, messages.wrongContentType)
  }
  const value = parseJson(Buffer.concat(chunks).toString())
  if (isObject(value)) return value
  throw new ApiFailure(
    400,
    messages.malformed(value === undefined ? 'Unexpected character in JSON' : 'Object expected'),
  )
}

/** @param {string} url @returns {{ segments: string[], query: URLSearchParams }} @throws {ApiFailure} 400 */
function parseUrl(url) {
  const [path, ...query] = url.split('?')
  try {
    const segments = path.split('/').slice(1).map(decodeURIComponent)
    return { segments, query: new URLSearchParams(query.join('?')) }
  } catch {
    throw new ApiFailure(400, 'Illegal request-target')
  }
}

/**
 * The HTTP server: reads calls, writes replies and refusals, and applies the effects of a call's faults to them.
 *
 * @param {object} options
 * @param {(call: Call) => Reply | Promise<Reply>} options.route
 * @param {import('./types').Settings} options.settings
 */
function createServer({ route, settings }) {
  /**
   * @param {http.IncomingMessage} request
   * @param {http.ServerResponse} response
   */
  async function handle(request, response) {
    const transactionId = String(request.headers['x-request-id'] ?? randomBytes(16).toString('hex'))
    response.setHeader('X-Request-ID', transactionId)
    response.setHeader('Date', new Date(settings.clock()).toUTCString())
    /** @type {Call} */
    const call = {
      request,
      method: request.method ?? 'GET',
      segments: [],
      query: new URLSearchParams(),
      transactionId,
      fault: {},
      readObject: () => readObject(request, settings.limits.bodyBytes),
    }
    const reply = await timely(lateReply(call), settings.requestMs)
    const { cut, lose, silent } = call.fault
    if (cut || lose) return request.socket.destroy()
    if (silent) return
    send(response, reply, call.fault)
    // a reply may be sent before the body has been read; the rest of the body must not block the connection
    request.resume()
  }

  /** @param {Call} call @returns {Promise<Reply>} */
  async function lateReply(call) {
    const reply = await replyTo(call)
    if (call.fault.delayMs) await delay(call.fault.delayMs)
    return reply
  }

  /** @param {Call} call @returns {Promise<Reply>} */
  async function replyTo(call) {
    try {
      Object.assign(call, parseUrl(call.request.url ?? '/'))
      return await route(call)
    } catch (error) {
      if (!(error instanceof ApiFailure)) process.emitWarning(/** @type {Error} */ (error))
      const failure = error instanceof ApiFailure ? error : new ApiFailure(500, messages.internal)
      return {
        status: failure.status,
        headers: failure.headers,
        body: { error: failure.message, code: call.transactionId },
      }
    }
  }

  const server = http.createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy())
  })
  // a blocking invocation is silent for longer than Node's default timeout
  server.requestTimeout = 0
  server.timeout = 0
  server.keepAliveTimeout = KEEP_ALIVE_MS
  return server
}

/**
 * Limits how long a reply may take. The work itself continues. Upstream: controller's application.conf,
 * pekko.http.server.request-timeout.
 *
 * @param {Promise<Reply>} reply
 * @param {number} ms
 * @returns {Promise<Reply>}
 */
async function timely(reply, ms) {
  const stop = new AbortController()
  /** @type {Promise<Reply>} */
  const late = delay(
    ms,
    { status: 503, text: messages.notTimely, body: undefined },
    { signal: stop.signal, ref: false },
  )
  // cleared below
  late.catch(() => {})
  const first = await Promise.race([reply, late])
  stop.abort()
  return first
}

/**
 * @param {http.ServerResponse} response
 * @param {Reply} reply
 * @param {import('./types').Fault} fault
 */
function send(response, { status, headers, body, text }, { truncate, cutAnswer }) {
  const whole = Buffer.from(text ?? (body === undefined ? '' : JSON.stringify(body)))
  const bytes = truncate ? whole.subarray(0, whole.length >> 1) : whole
  const type = text === undefined ? 'application/json' : 'text/plain; charset=UTF-8'
  // pekko-http sends no Keep-Alive header; Node would
  if (response.shouldKeepAlive) response.setHeader('Connection', 'keep-alive')
  response.writeHead(status, {
    ...headers,
    ...(whole.length > 0 && { 'Content-Type': type }),
    'Content-Length': bytes.length,
  })
  if (!cutAnswer) return response.end(bytes)
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy())
}

module.exports = { createServer }
