'use strict'

const { createCallServer, readBody, sendAnswer } = require('../../common/calls')
const { closeServer, listen } = require('../../common/server')

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
  /** @type {import('node:http').ServerResponse | undefined} */
  let waiting
  /** @type {Delivery | undefined} */
  let current

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async function handle(request, response) {
    /** @param {number} status @param {object} body */
    const reply = (status, body) => sendAnswer(request, response, { status, body }, {})
    const path = request.url ?? ''
    if (request.method === 'GET' && path === `${BASE}/invocation/next`) {
      waiting = response
      return onIdle()
    }
    const body = await readBody(request, RESPONSE_BYTES)
    if (request.method === 'POST' && path === `${BASE}/init/error`) {
      onInitError(body.bytes)
      return reply(202, { status: 'OK' })
    }
    const [, id, how] = /^\/2018-06-01\/runtime\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? []
    if (request.method !== 'POST' || !how) return reply(404, { errorType: 'NotFound', errorMessage: path })
    if (id !== current?.requestId) {
      return reply(400, { errorType: 'InvalidRequestID', errorMessage: 'Invalid request ID' })
    }
    const { onOutcome } = current
    current = undefined
    if (body.length > RESPONSE_BYTES) {
      onOutcome({ kind: 'tooLarge', bytes: body.length })
      const errorMessage = `Exceeded maximum allowed payload size (${RESPONSE_BYTES} bytes).`
      return reply(413, { errorType: 'RequestEntityTooLarge', errorMessage })
    }
    onOutcome({ kind: 'answer', body: body.bytes, isError: how === 'error' })
    return reply(202, { status: 'OK' })
  }

  const server = createCallServer(handle)
  // The runtime may be frozen for as long as it likes.
  server.keepAliveTimeout = 0

  return {
    /** @returns {Promise<string>} host and port */
    async listen() {
      const { port } = await listen(server, { port: 0 })
      return `127.0.0.1:${port}`
    },
    /** Gives the runtime, which waits, an event. @param {Delivery} delivery */
    deliver(delivery) {
      const response = /** @type {import('node:http').ServerResponse} */ (waiting)
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
    close: () => closeServer(server),
  }
}

module.exports = { createRuntimeApi, RESPONSE_BYTES }
