'use strict'

/** Requests that this machine sends to an HTTPS source itself: one each, over kept connections. */

const { createAgents, readBody, send } = require('../../http')
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
  const agents = createAgents({ ca, proxy, guarded: true })

  /** @param {string} url @param {Record<string, string>} headers @param {AbortSignal} [signal] */
  async function sendGet(url, headers, signal) {
    const agent = agents.of(new URL(url).origin)
    return await send({ method: 'GET', url, headers }, { agent, limitMs: silenceMs, signal })
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
        const response = await sendGet(url, headers, signal)
        const { statusCode: status = 0 } = response
        // What is longer is an object, which nobody asked for: the connection is closed.
        if (status === 200) response.destroy()
        const body = status === 200 ? undefined : await readBody(response, { most: MOST_BYTES, silenceMs })
        return { status, headers: joined(response.headers), body: body ?? Buffer.alloc(0) }
      } catch (cause) {
        throw connectionError(cause, { ...facts, endpoint: new URL(url).origin }, signal)
      }
    },
    /**
     * @param {string} url
     * @param {Record<string, string>} headers
     * @param {AbortSignal} [signal] also ends the body
     * @returns {Promise<{ response: import('node:http').IncomingMessage, headers: Record<string, string> }>} the body fails if it breaks off, or if nothing comes while it is waited for
     * @throws {import('../../types').XferError}
     */
    async open(url, headers, signal) {
      const response = await sendGet(url, headers, signal).catch(cause => {
        throw connectionError(cause, { ...facts, endpoint: new URL(url).origin }, signal)
      })
      response.setTimeout(silenceMs, () => {
        const silent = Object.assign(new Error('the source sends nothing any more'), { code: 'ETIMEDOUT' })
        if (response.readableLength === 0) response.destroy(silent)
      })
      return { response, headers: joined(response.headers) }
    },
    close: agents.close,
  }
}

/** @param {import('node:http').IncomingHttpHeaders} headers @returns {Record<string, string>} */
function joined(headers) {
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

module.exports = { createClient }
