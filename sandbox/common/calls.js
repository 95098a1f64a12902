'use strict'

/** The HTTP server of a platform: calls with whole bodies, answers as JSON, and what the fault of a call does to them. */

const http = require('node:http')

/** How much is read of a body that is refused for its size. */
const MOST_DISCARDED_BYTES = 256 * 1024 ** 2
const KEEP_ALIVE_MS = 60_000

/**
 * @param {(request: http.IncomingMessage, response: http.ServerResponse) => Promise<unknown>} handle cuts the connection where it rejects
 * @returns {http.Server} not listening yet
 */
function createCallServer(handle) {
  const server = http.createServer((request, response) => {
    request.on('error', () => {})
    response.on('error', () => {})
    handle(request, response).catch(() => request.socket.destroy())
  })
  // An invocation may be silent for longer than Node's default timeout.
  server.requestTimeout = 0
  server.headersTimeout = 0
  server.timeout = 0
  server.keepAliveTimeout = KEEP_ALIVE_MS
  return server
}

/**
 * Reads a body to its end: a client that is still sending would see a reset connection instead of a refusal.
 *
 * @param {http.IncomingMessage} request
 * @param {number} maxBytes how much is kept; the rest is only counted
 * @returns {Promise<{ bytes: Buffer, length: number }>} length: as it was, or as it was declared
 */
async function readBody(request, maxBytes) {
  /** @type {Buffer[]} */
  const chunks = []
  const declared = Number(request.headers['content-length'] ?? 0)
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= maxBytes && declared <= maxBytes) chunks.push(chunk)
    else if (length > MOST_DISCARDED_BYTES) break
  }
  return { bytes: Buffer.concat(chunks), length: Math.max(length, declared) }
}

/**
 * Sends an answer, or what the call's fault makes of it.
 *
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} response
 * @param {{ status: number, headers?: Record<string, string>, type?: string, body?: Buffer | string | object }} answer type: its
 *   Content-Type, default JSON; an object is sent as JSON
 * @param {{ cut?: boolean, lose?: boolean, silent?: boolean, truncate?: boolean, cutAnswer?: boolean }} fault
 */
function sendAnswer(request, response, { status, headers, type = 'application/json', body = '' }, fault) {
  if (fault.cut || fault.lose) return request.socket.destroy()
  if (fault.silent) return
  const whole = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const bytes = fault.truncate ? whole.subarray(0, whole.length >> 1) : whole
  // Neither service sends a Keep-Alive header; Node would.
  if (response.shouldKeepAlive) response.setHeader('Connection', 'keep-alive')
  response.writeHead(status, {
    ...(whole.length > 0 && { 'Content-Type': type }),
    ...(status !== 204 && { 'Content-Length': bytes.length }),
    ...headers,
  })
  if (fault.cutAnswer) response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy())
  else response.end(bytes)
  // An answer may be sent before the body has been read; the rest of the body must not block the connection.
  request.resume()
}

module.exports = { createCallServer, readBody, sendAnswer }
