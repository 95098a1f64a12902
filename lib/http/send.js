'use strict'

const http = require('node:http')
const https = require('node:https')
const { onAbort } = require('../async')

/** @typedef {{ method: string, url: string, headers?: Record<string, string> }} Head */

/**
 * Sends a request; resolves at the head of the answer, whose body is the caller's to read.
 *
 * @param {Head & { body?: Buffer }} request body: the caller sets its Content-Length
 * @param {{ agent: http.Agent, limitMs: number, connectMs?: number, signal?: AbortSignal }} how limitMs: until the head of the answer;
 *   connectMs: until a new connection is open, TLS included; absent: as long as all
 * @returns {Promise<http.IncomingMessage>}
 * @throws {NodeJS.ErrnoException} `ETIMEDOUT` after the limit, `ABORT_ERR` when the signal aborts
 */
function send({ body, ...head }, { agent, limitMs, connectMs = limitMs, signal }) {
  return new Promise((resolve, reject) => {
    // The signal is listened to here: Node.js tells a request without a connection of an abort only once it has one.
    const request = begin(head, { agent })
    /** @type {http.IncomingMessage | undefined} */
    let answer
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
      reject(error)
    }
    const giveUp = () => fail(noAnswer())
    const stop = () => fail(Object.assign(new Error('aborted', { cause: signal?.reason }), { code: 'ABORT_ERR' }))
    const timer = setTimeout(giveUp, limitMs)
    // The agent hands out a connection only when it is open, or still opening.
    const opening = connectMs < limitMs ? setTimeout(giveUp, connectMs) : undefined
    const opened = () => clearTimeout(opening)
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
 * Begins a request. The URL's path is sent unchanged: it may be signed, and `./` and `../` may be part of a key.
 *
 * @param {Head} head
 * @param {{ agent: http.Agent, signal?: AbortSignal }} how
 * @returns {http.ClientRequest}
 */
function begin({ method, url, headers }, { agent, signal }) {
  const { protocol, hostname, port } = new URL(url)
  const path = url.replace(/^https?:\/\/[^/?#]+/i, '') || '/'
  const options = { method, hostname: hostname.replace(/^\[|\]$/g, ''), port, path, headers, agent, signal }
  return protocol === 'https:' ? https.request(options) : http.request(options)
}

/** @returns {NodeJS.ErrnoException} */
const noAnswer = () => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })

module.exports = { begin, noAnswer, send }
