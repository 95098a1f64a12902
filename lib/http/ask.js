'use strict'

const http = require('node:http')
const https = require('node:https')
const { agent: createAgent } = require('./agents')

/** What is kept of a body: enough for an error's. */
const MOST_BYTES = 65_536

/**
 * One request over a connection of its own, and its answer. The URL's path is sent as it stands: it may be signed.
 *
 * @param {{ method: string, url: string, headers?: Record<string, string>, body?: Buffer }} request body: its length is for the
 *   headers to say
 * @param {{ limitMs: number, signal?: AbortSignal, rejectUnauthorized?: boolean, ca?: string }} how limitMs: for all of it;
 *   ca: certificates to trust beside the usual ones, PEM
 * @returns {Promise<{ status: number, headers: http.IncomingHttpHeaders, body: string, sentMs: number, receivedMs: number }>}
 *   body: its beginning; sentMs and receivedMs: by this machine's clock, around the answer's head
 * @throws {NodeJS.ErrnoException} `ETIMEDOUT` where the time was up
 */
function ask({ method, url, headers, body: sent }, { limitMs, signal, rejectUnauthorized, ca }) {
  const origin = new URL(url).origin
  const path = url.slice((/^https?:\/\/[^/?#]+/i.exec(url)?.[0] ?? origin).length) || '/'
  const agent = createAgent(origin, { rejectUnauthorized, ca })
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
      // Of an answer that breaks off, what has come is what there is.
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
