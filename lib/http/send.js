'use strict'

/** Requests of this machine: of one whose connection is kept, and of one that has its own. */

const http = require('node:http')
const https = require('node:https')
const { onAbort } = require('../async')
const { abortReason } = require('../errors')
const { agent: createAgent } = require('./agents')
const { readBody } = require('./read-body')

/** How much of a body `ask` keeps: enough for an error document. */
const MOST_BYTES = 65_536

/**
 * @typedef {{ method: string, url: string, headers?: Record<string, string> }} Head
 * @typedef {{ status: number, headers: http.IncomingHttpHeaders, sentMs: number, receivedMs: number }} AnswerHead sentMs and receivedMs:
 *   this machine's time before the request and at the answer's head
 * @typedef {NodeJS.ErrnoException & { sent?: boolean, head?: AnswerHead }} Lost sent: false: no connection was open, so the peer has got
 *   nothing; head: of an answer that broke off
 */

/**
 * Sends a request; resolves at the head of the answer, whose body is the caller's to read.
 *
 * @param {Head & { body?: Buffer }} request body: the caller sets its Content-Length
 * @param {{ agent: http.Agent, limitMs: number, connectMs?: number, signal?: AbortSignal }} how limitMs: until the head of the answer;
 *   connectMs: until a new connection is open, TLS included; absent: as long as all
 * @returns {Promise<http.IncomingMessage>}
 * @throws {Lost} `ETIMEDOUT` after the limit, `ABORT_ERR` when the signal aborts
 */
function send({ body, ...head }, { agent, limitMs, connectMs = limitMs, signal }) {
  return new Promise((resolve, reject) => {
    // The signal is listened to here: Node.js tells a request without a connection of an abort only once it has one.
    const request = begin(head, agent)
    /** @type {http.IncomingMessage | undefined} */
    let answer
    let sent = false
    const stopTimers = () => {
      clearTimeout(timer)
      clearTimeout(opening)
    }
    let forgetSignal = () => {}
    /** @param {Error} error */
    const fail = error => {
      stopTimers()
      forgetSignal()
      // After an abort, half an answer without a length would look whole.
      answer?.destroy(error)
      request.destroy(error)
      reject(Object.assign(error, { sent }))
    }
    const giveUp = () => fail(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' }))
    const stop = () => fail(Object.assign(new Error('aborted', { cause: signal?.reason }), { code: 'ABORT_ERR' }))
    const timer = setTimeout(giveUp, limitMs)
    // The agent hands out a connection only when it is open, or still opening.
    const opening = connectMs < limitMs ? setTimeout(giveUp, connectMs) : undefined
    const opened = () => {
      sent = true
      clearTimeout(opening)
    }
    request.on('socket', (/** @type {any} */ socket) => {
      if (socket.secureConnecting) socket.once('secureConnect', opened)
      else if (socket.connecting) socket.once('connect', opened)
      else opened()
    })
    request.on('response', response => {
      answer = response
      stopTimers()
      resolve(response)
    })
    // A whole answer may wait to be read when its connection fails: half of one fails by itself.
    request.on('error', error => answer ?? fail(error))
    request.on('close', () => {
      forgetSignal()
      // After an answer that changes the protocol (101) there is neither a response nor an error.
      if (!answer) fail(Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' }))
    })
    if (signal?.aborted) return stop()
    if (signal) forgetSignal = onAbort(signal, stop)
    request.end(body)
  })
}

/**
 * A request and its whole answer.
 *
 * @param {Head & { body?: Buffer }} request as of `send`
 * @param {Parameters<typeof send>[1] & Parameters<typeof readBody>[1]} how
 * @returns {Promise<AnswerHead & { body: Buffer | undefined }>} body: as of `readBody`
 * @throws {Lost | import('../types').XferError} the abort's reason
 */
async function exchange(request, how) {
  const sentMs = Date.now()
  /** @type {AnswerHead | undefined} */
  let head
  try {
    const response = await send(request, how)
    const { statusCode: status = 0, headers } = response
    head = { status, headers, sentMs, receivedMs: Date.now() }
    return { ...head, body: await readBody(response, how) }
  } catch (error) {
    if (how.signal?.aborted) throw abortReason(how.signal)
    throw Object.assign(/** @type {Lost} */ (error), { head })
  }
}

/**
 * One request over its own connection, and its answer.
 *
 * @param {Head & { body?: Buffer }} request as of `send`
 * @param {{ limitMs: number, signal?: AbortSignal, rejectUnauthorized?: boolean, ca?: string, proxy: import('./proxy').FindProxy | undefined, guarded?: boolean }} how limitMs: for
 *   the head, and for the body; the others: as of `send` and `agent`
 * @returns {Promise<AnswerHead & { body: string }>} body: its beginning, as far as it came
 * @throws {Lost | import('../types').XferError} as of `exchange`
 */
async function ask(request, { limitMs, signal, ...how }) {
  const agent = createAgent(new URL(request.url).origin, how)
  const bounds = { silenceMs: limitMs, answerMs: limitMs, most: MOST_BYTES, partly: true }
  try {
    const { body, ...head } = await exchange(request, { agent, limitMs, signal, ...bounds })
    return { ...head, body: String(body) }
  } finally {
    agent.destroy()
  }
}

/**
 * Begins a request. The URL's path is sent unchanged: it may be signed, and `./` and `../` may be part of a key.
 *
 * @param {Head} head
 * @param {http.Agent} agent
 * @returns {http.ClientRequest}
 */
function begin({ method, url, headers }, agent) {
  const { protocol, hostname, port } = new URL(url)
  const path = url.replace(/^https?:\/\/[^/?#]+/i, '') || '/'
  const options = { method, hostname: hostname.replace(/^\[|\]$/g, ''), port, path, headers, agent }
  return protocol === 'https:' ? https.request(options) : http.request(options)
}

module.exports = { ask, exchange, send }
