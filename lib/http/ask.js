'use strict'

const http = require('node:http')
const https = require('node:https')
const { agent: createAgent } = require('./agents')

/** How much of a body is kept: enough for an error document. */
const MOST_BYTES = 65_536

/**
 * One request over its own connection, and its answer. The URL's path is sent unchanged, because it may be signed.
 *
 * @param {{ method: string, url: string, headers?: Record<string, string>, body?: Buffer }} request body: the caller
 *   sets its Content-Length
 * @param {{ limitMs: number, signal?: AbortSignal, rejectUnauthorized?: boolean, ca?: string, proxy: import('./proxy').FindProxy | undefined }} how limitMs: for the whole exchange;
 *   ca: certificates to trust besides the usual ones, PEM; proxy: undefined: none
 * @returns {Promise<{ status: number, headers: http.IncomingHttpHeaders, body: string, sentMs: number, receivedMs: number }>}
 *   body: its beginning; sentMs and receivedMs: this machine's time before the request and at the answer's head
 * @throws {NodeJS.ErrnoException} `ETIMEDOUT` after the limit
 */
function ask({ method, url, headers, body: sent }, { limitMs, signal, rejectUnauthorized, ca, proxy }) {
  const origin = new URL(url).origin
  const path = url.slice((/^https?:\/\/[^/?#]+/i.exec(url)?.[0] ?? origin).length) || '/'
  const agent = createAgent(origin, { rejectUnauthorized, ca, proxy })
  const { protocol, hostname, port } = new URL(origin)
  const options = { method, hostname: hostname.replace(/^\[|\]$/g, ''), port, path, headers, agent, signal }
  return new Promise((resolve, reject) => {
    let answered = false
    const sentMs = Date.now()
    const request = protocol === 'https:' ? https.request(options) : http.request(options)
    const timer = setTimeout(
      () => request.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })),
      limitMs,
    )
    request.on('error', reject).on('response', response => {
      const receivedMs = Date.now()
      answered = true
      const { statusCode: status = 0, headers } = response
      let body = ''
      const finish = () => {
        resolve({ status, headers, body, sentMs, receivedMs })
        request.destroy()
      }
      response.setEncoding('utf8').on('data', text => {
        body += text
        if (body.length >= MOST_BYTES) finish()
      })
      // A body that breaks off is returned as far as it came.
      response.on('end', finish).on('error', finish).on('close', finish)
    })
    request.on('close', () => {
      clearTimeout(timer)
      agent.destroy()
      if (!answered) reject(Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' }))
    })
    request.end(sent)
  })
}

module.exports = { ask }
