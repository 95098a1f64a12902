'use strict'

const http = require('node:http')

/** @import { Outcome } from '../types' */

const BASE = '/2018-06-01/runtime'
/** The response's limit is 6 MB, and some room for what is wrapped around it. */
const RESPONSE_BYTES = 6 * 1024 ** 2 + 100

/**
 * @typedef {object} Delivery
 * @property {string} requestId
 * @property {Buffer} event
 * @property {Record<string, string>} headers
 * @property {(outcome: Outcome) => void} onOutcome
 */

/**
 * The Runtime API of one environment: the runtime asks for an event, and says what came of it.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 *
 * @param {object} options
 * @param {() => void} options.onIdle the runtime asks for the next event
 * @param {(report: Buffer) => void} options.onInitError the runtime could not load the function, and says why
 */
function createRuntimeApi({ onIdle, onInitError }) {
  /** @type {http.ServerResponse | undefined} */
  let waiting
  /** @type {Delivery | undefined} */
  let current

  /** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
  async function handle(request, response) {
    const path = request.url ?? ''
    if (request.method === 'GET' && path === `${BASE}/invocation/next`) {
      waiting = response
      return onIdle()
    }
    const body = await readAll(request, RESPONSE_BYTES)
    if (request.method === 'POST' && path === `${BASE}/init/error`) {
      onInitError(body.bytes)
      return reply(response, 202, { status: 'OK' })
    }
    const [, id, how] = /^\/2018-06-01\/runtime\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? []
    if (request.method !== 'POST' || !how) return reply(response, 404, { errorType: 'NotFound', errorMessage: path })
    if (id !== current?.requestId) {
      return reply(response, 400, { errorType: 'InvalidRequestID', errorMessage: 'Invalid request ID' })
    }
    const { onOutcome } = current
    current = undefined
    if (body.length > RESPONSE_BYTES) {
      onOutcome({ kind: 'tooLarge', bytes: body.length })
      const errorMessage = `Exceeded maximum allowed payload size (${RESPONSE_BYTES} bytes).`
      return reply(response, 413, { errorType: 'RequestEntityTooLarge', errorMessage })
    }
    onOutcome({ kind: 'answer', body: body.bytes, isError: how === 'error' })
    return reply(response, 202, { status: 'OK' })
  }

  const server = http.createServer((request, response) => {
    request.on('error', () => {})
    response.on('error', () => {})
    handle(request, response).catch(() => request.socket.destroy())
  })
  // The runtime may be frozen for as long as it likes.
  server.requestTimeout = 0
  server.headersTimeout = 0
  server.keepAliveTimeout = 0

  return {
    /** @returns {Promise<string>} host and port */
    async listen() {
      await new Promise((resolve, reject) =>
        server.once('error', reject).listen(0, '127.0.0.1', () => resolve(undefined)),
      )
      return `127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`
    },
    /** Gives the runtime, which waits, an event. @param {Delivery} delivery */
    deliver(delivery) {
      const response = /** @type {http.ServerResponse} */ (waiting)
      waiting = undefined
      current = delivery
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': delivery.event.length,
        'Lambda-Runtime-Aws-Request-Id': delivery.requestId,
        ...delivery.headers,
      })
      response.end(delivery.event)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** @param {http.IncomingMessage} request @param {number} maxBytes how much is kept; the rest is only counted */
async function readAll(request, maxBytes) {
  /** @type {Buffer[]} */
  const chunks = []
  let length = 0
  for await (const chunk of request) {
    if (length < maxBytes) chunks.push(chunk)
    length += chunk.length
  }
  return { bytes: Buffer.concat(chunks), length }
}

/** @param {http.ServerResponse} response @param {number} status @param {object} body */
function reply(response, status, body) {
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length })
  response.end(bytes)
}

module.exports = { createRuntimeApi, RESPONSE_BYTES }
