'use strict'

/** The answers of a worker to requests that start nothing. */

const { discardRest } = require('./body')

/** By code: the status, and what happened. */
const REFUSALS = /** @type {const} */ ({
  BAD_REQUEST: [400, 'The body is not JSON.'],
  INCOMPLETE: [400, 'The body ended early.'],
  TOKEN_REFUSED: [401, 'The token is missing or wrong.'],
  PAGE_REFUSED: [403, 'Pages in browsers may not use a worker.'],
  NOT_FOUND: [404, 'There is nothing at this path.'],
  METHOD_REFUSED: [405, 'The path does not have this method.'],
  TOO_LARGE: [413, 'The body is larger than a worker takes.'],
  TOO_MANY_TASKS: [413, 'An invocation has at most 10,000 tasks.'],
  NOT_JSON: [415, 'The body must be application/json.'],
  BUSY: [429, 'All places are taken.'],
  DRAINING: [503, 'The worker is ending and takes no more work.'],
})

/** @typedef {keyof typeof REFUSALS} Refusal */

/** @type {Partial<Record<Refusal, Record<string, string>>>} */
const HEADERS = {
  TOKEN_REFUSED: { 'www-authenticate': 'Bearer' },
  BUSY: { 'retry-after': '1' },
}

/**
 * Refuses a request, and ends its connection. What else comes of the request is read for a while, and thrown away: a connection
 * that is closed before is reset, and then the caller may lose the answer.
 *
 * @param {import('node:http').ServerResponse} response
 * @param {Refusal} code
 * @param {{ headers?: Record<string, string>, lingerMs: number }} how lingerMs: how long the rest may take; 0: nothing else will come
 * @returns {number} the status
 */
function refuse(response, code, { headers, lingerMs }) {
  const [status, message] = REFUSALS[code]
  const body = { error: { code, message } }
  writeAnswer(response, status, body, { ...HEADERS[code], ...headers, connection: 'close' })
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

module.exports = { REFUSALS, answer, refuse }
