'use strict'

const { randomBytes } = require('node:crypto')
const { createCallServer, readBody, sendAnswer } = require('../common/calls')
const { ApiFailure, messages, isObject, parseJson } = require('./errors')

/** @import { Call, Reply } from './router' */

const MOST_BODY_BYTES = 50 * 1024 ** 2

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {number} maxBytes
 * @returns {Promise<Record<string, unknown>>}
 */
async function readObject(request, maxBytes) {
  const { bytes, length } = await readBody(request, maxBytes)
  if (length > maxBytes) throw new ApiFailure(413, messages.tooLarge('Request', length, maxBytes))
  if (length === 0) return {}
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new ApiFailure(415, messages.wrongContentType)
  }
  const value = parseJson(bytes.toString())
  if (isObject(value)) return value
  throw new ApiFailure(
    400,
    messages.malformed(value === undefined ? 'Unexpected character in JSON' : 'Object expected'),
  )
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
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
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
      readObject: () => readObject(request, MOST_BODY_BYTES),
    }
    const reply = await replyTo(call)
    sendAnswer(request, response, /** @type {Reply & { body: object }} */ (reply), call.fault)
  }

  /** @param {Call} call @returns {Promise<Reply>} */
  async function replyTo(call) {
    try {
      const { pathname, searchParams } = new URL(call.request.url ?? '/', 'http://platform')
      Object.assign(call, { segments: pathname.split('/').slice(1).map(decodeURIComponent), query: searchParams })
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

  return createCallServer(handle)
}

module.exports = { createServer }
