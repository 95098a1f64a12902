'use strict'

const http = require('node:http')
const https = require('node:https')

/** @typedef {{ method: string, url: string, headers?: Record<string, string> }} Head */

/**
 * Sends a request; resolves at the head of the answer, whose body is the caller's to read.
 *
 * @param {Head & { body?: Buffer }} request body: the caller sets its Content-Length
 * @param {{ agent: http.Agent, limitMs: number, connectMs?: number, signal?: AbortSignal }} how limitMs: until the head of the answer;
 *   connectMs: until a new connection is open; absent: as long as all
 * @returns {Promise<http.IncomingMessage>}
 * @throws {NodeJS.ErrnoException} `ETIMEDOUT` after the limit
 */
function send({ body, ...head }, { agent, limitMs, connectMs = limitMs, signal }) {
  return new Promise((resolve, reject) => {
    const request = begin(head, { agent, signal })
    const giveUp = () => request.destroy(noAnswer())
    const timer = setTimeout(giveUp, limitMs)
    // The agent hands out a connection only when it is open, or still opening.
    const opening = connectMs < limitMs ? setTimeout(giveUp, connectMs) : undefined
    const opened = () => clearTimeout(opening)
    request.on('socket', socket => (socket.connecting ? socket.once('connect', opened) : opened()))
    const settle = () => {
      clearTimeout(timer)
      opened()
    }
    request.on('response', response => {
      settle()
      resolve(response)
    })
    request.on('error', error => {
      settle()
      reject(error)
    })
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
