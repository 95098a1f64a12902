'use strict'

const { agent: createAgent } = require('./agents')
const { begin, noAnswer } = require('./send')

/** How much of a body is kept: enough for an error document. */
const MOST_BYTES = 65_536

/**
 * One request over its own connection, and its answer.
 *
 * @param {{ method: string, url: string, headers?: Record<string, string>, body?: Buffer }} request body: the caller
 *   sets its Content-Length
 * @param {{ limitMs: number, signal?: AbortSignal, rejectUnauthorized?: boolean, ca?: string, proxy: import('./proxy').FindProxy | undefined, guarded?: boolean }} how limitMs: for the whole exchange;
 *   ca: certificates to trust besides the usual ones, PEM; proxy: undefined: none; guarded: as of `agent`
 * @returns {Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, body: string, sentMs: number, receivedMs: number }>}
 *   body: its beginning; sentMs and receivedMs: this machine's time before the request and at the answer's head
 * @throws {NodeJS.ErrnoException} `ETIMEDOUT` after the limit
 */
async function ask({ body: sent, ...head }, { limitMs, signal, rejectUnauthorized, ca, proxy, guarded }) {
  const agent = createAgent(new URL(head.url).origin, { rejectUnauthorized, ca, proxy, guarded })
  return await new Promise((resolve, reject) => {
    let answered = false
    const sentMs = Date.now()
    const request = begin(head, { agent, signal })
    const timer = setTimeout(() => request.destroy(noAnswer()), limitMs)
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
