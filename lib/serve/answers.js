'use strict'

/** The answers of a worker to requests that start nothing. */

/** By code: the status, what happened, and headers of its own. */
const REFUSALS = /** @type {const} */ ({
  BAD_REQUEST: [400, 'The body is not JSON.'],
  INCOMPLETE: [400, 'The body ended early.'],
  TOKEN_REFUSED: [401, 'The token is missing or wrong.', { 'www-authenticate': 'Bearer' }],
  PAGE_REFUSED: [403, 'Pages in browsers may not use a worker.'],
  NOT_FOUND: [404, 'There is nothing at this path.'],
  METHOD_REFUSED: [405, 'The path does not have this method.'],
  TOO_LARGE: [413, 'The body is larger than a worker takes.'],
  TOO_MANY_TASKS: [413, 'An invocation has at most 10,000 tasks.'],
  NOT_JSON: [415, 'The body must be application/json.'],
  BUSY: [429, 'All places are taken.', { 'retry-after': '1' }],
  DRAINING: [503, 'The worker is ending and takes no more work.'],
})

/** @typedef {keyof typeof REFUSALS} Refusal */

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
 * @returns {Promise<{ value?: any, refusal?: Refusal }>} value: of the JSON
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

module.exports = { answer, refuse, readJson }
