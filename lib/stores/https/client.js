'use strict'

/** Requests that this machine sends to an HTTPS source itself: one each, over kept connections. */

const { readBody } = require('../../http')
const { connectionError, createClient } = require('../common')

/** Of a refusal. */
const MOST_BYTES = 65_536

/**
 * @typedef {{ status: number, headers: Record<string, string>, body: Buffer }} Answered names in lower case; body: of an answer
 *   that is short, or its beginning
 */

/**
 * @param {Pick<import('./types').HttpsSettings, 'ca' | 'proxy' | 'silenceMs'>} settings
 * @param {Record<string, any>} facts for errors
 * @param {() => number} now this machine's clock
 */
function createGets(settings, facts, now) {
  const { silenceMs, send, close } = createClient(settings, { now, guarded: true })

  /**
   * @param {string} url
   * @param {Record<string, string>} headers
   * @param {AbortSignal | undefined} signal
   * @param {(answer: Awaited<ReturnType<typeof send>>) => T} use
   * @template T
   */
  async function ask(url, headers, signal, use) {
    try {
      return await use(await send({ method: 'GET', url, headers }, { signal }))
    } catch (cause) {
      throw connectionError(cause, { ...facts, endpoint: new URL(url).origin }, signal)
    }
  }

  return {
    close,
    /**
     * @param {string} url
     * @param {Record<string, string>} headers
     * @param {AbortSignal} [signal]
     * @returns {Promise<Answered>}
     * @throws {import('../../types').XferError}
     */
    async get(url, headers, signal) {
      return await ask(url, headers, signal, async ({ response, ...answer }) => {
        // What is longer is an object, which nobody asked for: the connection is closed.
        const whole = answer.status === 200
        if (whole) response.destroy()
        const body = whole ? undefined : await readBody(response, { most: MOST_BYTES, silenceMs })
        return { ...answer, body: body ?? Buffer.alloc(0) }
      })
    },
    /**
     * @param {string} url
     * @param {Record<string, string>} headers
     * @param {AbortSignal} [signal] also ends the body
     * @returns {Promise<{ response: import('node:http').IncomingMessage, status: number, headers: Record<string, string> }>} the body fails if it breaks off, or if nothing comes while it is waited for
     * @throws {import('../../types').XferError}
     */
    async open(url, headers, signal) {
      const answer = await ask(url, headers, signal, answer => answer)
      const { response } = answer
      response.setTimeout(silenceMs, () => {
        const silent = Object.assign(new Error('the source sends nothing any more'), { code: 'ETIMEDOUT' })
        if (response.readableLength === 0) response.destroy(silent)
      })
      return answer
    },
  }
}

module.exports = { createGets }
