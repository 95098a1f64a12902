'use strict'

/** Requests that this machine sends to an HTTPS source itself: one each, over kept connections. */

const http = require('node:http')
const https = require('node:https')
const { agent: createAgent, readBody } = require('../../http')
const { connectionError } = require('../common')

const SILENCE_MS = 30_000
/** Of a refusal. */
const MOST_BYTES = 65_536

/**
 * @typedef {{ status: number, headers: Record<string, string>, body: Buffer }} Answered names in lower case; body: of an answer
 *   that is short, or its beginning
 */

/**
 * @param {Pick<import('./types').HttpsSettings, 'ca' | 'proxy' | 'silenceMs'>} settings
 * @param {Record<string, any>} facts for errors
 */
function createClient({ ca, proxy, silenceMs = SILENCE_MS }, facts) {
  /** @type {Map<string, http.Agent>} */
  const agents = new Map()

  /** @param {string} origin */
  function agentOf(origin) {
    const agent = agents.get(origin) ?? createAgent(origin, { ca, proxy })
    agents.set(origin, agent)
    return agent
  }

  /**
   * Sends a GET; resolves at the head of the answer.
   *
   * @param {string} url
   * @param {Record<string, string>} headers
   * @param {AbortSignal} [signal]
   * @returns {Promise<http.IncomingMessage>}
   */
  function send(url, headers, signal) {
    const { origin, protocol, hostname, port } = new URL(url)
    // The path as it was given: it may be signed.
    const path = url.replace(/^https?:\/\/[^/?#]+/i, '')
    const options = { headers, agent: agentOf(origin), signal, hostname: hostname.replace(/^\[|\]$/g, ''), port, path }
    return new Promise((resolve, reject) => {
      const request = protocol === 'https:' ? https.request(options) : http.request(options)
      const silent = () => request.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' }))
      const timer = setTimeout(silent, silenceMs)
      request.on('response', response => {
        clearTimeout(timer)
        resolve(response)
      })
      request.on('error', error => {
        clearTimeout(timer)
        reject(error)
      })
      request.end()
    })
  }

  return {
    /**
     * @param {string} url
     * @param {Record<string, string>} headers
     * @param {AbortSignal} [signal]
     * @returns {Promise<Answered>}
     * @throws {import('../../types').XferError}
     */
    async get(url, headers, signal) {
      try {
        const response = await send(url, headers, signal)
        const { statusCode: status = 0 } = response
        // What is longer is an object, which nobody asked for: the connection is closed.
        const whole = status === 200 && response.headers['content-range'] === undefined
        if (whole) response.destroy()
        const body = whole ? Buffer.alloc(0) : await readBody(response, { most: MOST_BYTES, silenceMs })
        return { status, headers: joined(response.headers), body: body ?? Buffer.alloc(0) }
      } catch (cause) {
        throw connectionError(cause, { ...facts, endpoint: new URL(url).origin }, signal)
      }
    },
    /**
     * @param {string} url
     * @param {Record<string, string>} headers
     * @param {AbortSignal} [signal] also ends the body
     * @returns {Promise<http.IncomingMessage>} its body fails if it breaks off, or if nothing comes while it is waited for
     * @throws {import('../../types').XferError}
     */
    async open(url, headers, signal) {
      const response = await send(url, headers, signal).catch(cause => {
        throw connectionError(cause, { ...facts, endpoint: new URL(url).origin }, signal)
      })
      response.setTimeout(silenceMs, () => {
        const silent = Object.assign(new Error('the source sends nothing any more'), { code: 'ETIMEDOUT' })
        if (response.readableLength === 0) response.destroy(silent)
      })
      return response
    },
    joined,
    close() {
      for (const agent of agents.values()) agent.destroy()
      agents.clear()
    },
  }
}

/** @param {http.IncomingHttpHeaders} headers @returns {Record<string, string>} */
function joined(headers) {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

module.exports = { createClient }
