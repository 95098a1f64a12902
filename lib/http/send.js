'use strict'

/** Requests of this machine: of one whose connection is kept, and of one that has its own; and their answers, within bounds of size and time. */

const http = require('node:http')
const https = require('node:https')
const { MAX_BYTES: maxHeaderSize } = require('../../actions/copy-range/http1')
const { onAbort } = require('../async')
const { XferError, abortReason, throwIfAborted } = require('../errors')
const { agent: createAgent } = require('./agents')
const { explainConnection } = require('./connection')

/** How much of a body `ask` keeps: enough for an error document. */
const MOST_BYTES = 65_536

/**
 * @typedef {{ method: string, url: string, headers?: Record<string, string> }} RequestHead
 * @typedef {{ status: number, headers: http.IncomingHttpHeaders, sentMs: number, receivedMs: number }} AnswerHead sentMs and receivedMs:
 *   this machine's time before the request and at the answer's head
 * @typedef {NodeJS.ErrnoException & { sent?: boolean, head?: AnswerHead }} Lost sent: false: no connection was open, so the peer has got
 *   nothing; head: of an answer that broke off
 */

/**
 * Sends a request; resolves at the head of the answer, whose body is the caller's to read.
 *
 * @param {RequestHead & { body?: Buffer }} request body: the caller sets its Content-Length
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
 * @param {RequestHead & { body?: Buffer }} request as of `send`
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
 * @param {RequestHead & { body?: Buffer }} request as of `send`
 * @param {{ limitMs: number, signal?: AbortSignal, most?: number, whole?: boolean, rejectUnauthorized?: boolean, ca?: string, proxy: import('./agents').FindProxy | undefined, guarded?: boolean }} how limitMs: for
 *   the head, and for the body; whole: a body that is larger, breaks off or stops is an error; the others: as of `send` and `agent`
 * @returns {Promise<AnswerHead & { body: string }>} body: its beginning, as far as it came, or all of it
 * @throws {Lost | import('../types').XferError} as of `exchange`
 */
async function ask(request, { limitMs, signal, most = MOST_BYTES, whole = false, ...how }) {
  const agent = createAgent(new URL(request.url).origin, how)
  const bounds = { silenceMs: limitMs, answerMs: limitMs, most, partly: !whole }
  try {
    const { body, ...head } = await exchange(request, { agent, limitMs, signal, ...bounds })
    if (body === undefined) throw new Error(`the answer has more than ${most} bytes`)
    return { ...head, body: String(body) }
  } finally {
    agent.destroy()
  }
}

const SIGNED_MS = 20_000

/**
 * A signed request of a few bytes, sent from this machine as a function would send it.
 *
 * @param {import('../types').Store} store
 * @param {Pick<import('../types').DataRequest, 'method' | 'url' | 'headers'>} request
 * @param {{ body?: Buffer, signal?: AbortSignal, most?: number, whole?: boolean }} [how] most: bytes of the answer's body that are kept; whole: as of `ask`
 * @returns {ReturnType<typeof ask>} whatever its status
 * @throws {XferError} STORE_UNREACHABLE, or the signal's reason
 */
async function askStore(store, { method, url, headers }, { body, signal, most, whole } = {}) {
  const how = { limitMs: SIGNED_MS, signal, most, whole, ca: store.ca, proxy: store.proxy }
  return await ask({ method, url, headers, body }, how).catch(cause => {
    throwIfAborted(signal)
    const { reason, words } = explainConnection(cause.code) ?? { reason: cause.message, words: undefined }
    throw new XferError('STORE_UNREACHABLE', { ...store.facts, reason, words }, { cause })
  })
}

/**
 * Begins a request. The URL's path is sent unchanged: it may be signed, and `./` and `../` may be part of a key.
 *
 * @param {RequestHead} head
 * @param {http.Agent} agent
 * @returns {http.ClientRequest}
 */
function begin({ method, url, headers }, agent) {
  const { protocol, hostname, port } = new URL(url)
  const path = url.replace(/^https?:\/\/[^/?#]+/i, '') || '/'
  const options = { method, hostname: hostname.replace(/^\[|\]$/g, ''), port, path, headers, agent, maxHeaderSize }
  return protocol === 'https:' ? https.request(options) : http.request(options)
}

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */

/** How long the whole body of an answer may take; a `late` answer may take three times as long. */
const ANSWER_MS = 5 * 60_000
/** The share of that time after which the rate is checked. */
const BEGINNING = 1 / 10
/** The lowest average rate, in bytes per second. */
const LEAST_RATE = 1024

/**
 * @param {IncomingMessage} body
 * @param {object} bounds
 * @param {number} bounds.most bytes
 * @param {number} bounds.silenceMs
 * @param {number} [bounds.answerMs]
 * @param {boolean} [bounds.late] whether the lowest rate does not apply, and the time is three times as long
 * @param {boolean} [bounds.partly] what came is the answer if it is larger, breaks off or stops; the lowest rate does not apply
 * @returns {Promise<Buffer | undefined>} undefined if it is larger than `most`: the rest is not read
 * @throws {Error} with the code of the connection's failure
 */
async function readBody(body, { most, silenceMs, answerMs = ANSWER_MS, late = false, partly = false }) {
  /** @type {Buffer[]} */
  const chunks = []
  let length = 0
  const beatMs = Math.min(silenceMs / 4, answerMs * BEGINNING)
  let [begunMs, heardMs, beatenMs] = Array(3).fill(performance.now())
  /** @param {string} text */
  const giveUp = text => body.destroy(Object.assign(new Error(text), { code: 'ETIMEDOUT' }))
  const timer = setInterval(() => {
    const nowMs = performance.now()
    const missedMs = nowMs - beatenMs - beatMs
    beatenMs = nowMs
    // This process was suspended for a while: that time does not count.
    if (missedMs > beatMs) {
      begunMs += missedMs
      heardMs += missedMs
    }
    const tookMs = nowMs - begunMs
    if (nowMs - heardMs >= silenceMs) giveUp('the answer stopped')
    else if (tookMs >= answerMs * (late ? 3 : 1)) giveUp('the answer does not end')
    else if (!late && !partly && length < (LEAST_RATE * (tookMs - answerMs * BEGINNING)) / 1000)
      giveUp('the answer is too slow')
  }, beatMs)
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      heardMs = performance.now()
      // Leaving the loop closes the connection.
      if (length > most) return partly ? Buffer.concat(chunks) : undefined
    }
  } catch (cause) {
    if (partly) return Buffer.concat(chunks)
    const { code = 'ECONNRESET' } = /** @type {NodeJS.ErrnoException} */ (cause)
    throw Object.assign(new Error('the answer broke off', { cause }), { code })
  } finally {
    clearInterval(timer)
  }
  return Buffer.concat(chunks)
}

module.exports = { ask, askStore, exchange, send, readBody }
