'use strict'

const http = require('node:http')

/** @import { ContainerAnswer } from './types' */

/**
 * Sends one POST to a container. Never rejects: a failure is an answer too. Upstream: ApacheBlockingContainerClient.scala.
 * Each POST has a connection of its own, because a reused one to a frozen or killed container fails for unclear reasons.
 *
 * @param {object} call
 * @param {number} call.port
 * @param {'/init' | '/run'} call.path
 * @param {unknown} call.body
 * @param {number} call.timeoutMs from the connection to the end of the answer
 * @param {number} call.maxBytes how much of the answer is kept; the rest is only counted
 * @param {() => void} [call.onSent] when the request is written
 * @returns {Promise<ContainerAnswer>}
 */
function postToContainer({ port, path, body, timeoutMs, maxBytes, onSent }) {
  return new Promise(resolve => {
    const bytes = Buffer.from(JSON.stringify(body))
    const request = http.request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      agent: false,
      headers: { 'Content-Type': 'application/json', 'Content-Length': bytes.length },
    })
    /** @param {ContainerAnswer} answer */
    const settle = answer => {
      clearTimeout(timer)
      resolve(answer)
      request.destroy()
    }
    const timer = setTimeout(() => settle({ kind: 'timeout' }), timeoutMs)
    request.on('error', error => {
      settle({ kind: 'gone', refused: /** @type {NodeJS.ErrnoException} */ (error).code === 'ECONNREFUSED' })
    })
    request.on('response', response => {
      if (response.headers['content-length'] === undefined) return settle({ kind: 'gone', refused: false })
      /** @type {Buffer[]} */
      const kept = []
      let count = 0
      response.on('data', chunk => {
        if (count < maxBytes) kept.push(chunk.subarray(0, maxBytes - count))
        count += chunk.length
      })
      response.on('error', () => settle({ kind: 'gone', refused: false }))
      response.on('end', () => {
        const text = Buffer.concat(kept).toString()
        const status = /** @type {number} */ (response.statusCode)
        settle({ kind: 'answer', status, text, bytes: count, truncated: count > maxBytes })
      })
    })
    request.end(bytes, onSent)
  })
}

module.exports = { postToContainer }
