'use strict'

/**
 * A platform as `deploy` and `doctor` ask it: single requests through the npm client, each with a deadline, each failure an
 * error of the table.
 */

const { XferError } = require('../../errors')
const { call, connect } = require('./client')
const { fromPlatformError } = require('./errors')
const { agent: createAgent } = require('../../http')

const CONNECT_LIMIT_MS = 10_000
const ANSWER_LIMIT_MS = 20_000

/**
 * @typedef {object} Platform
 * @property {{ apihost: string, action: string }} facts what its errors say of it
 * @property {<T>(request: (client: any, transport: Record<string, unknown>) => Promise<T>, limitMs?: number) => Promise<T>} ask one
 *   request; rejects with an XferError
 * @property {<T>(request: (client: any, transport: Record<string, unknown>) => Promise<T>) => Promise<T | undefined>} find the same;
 *   undefined where there is no such thing
 * @property {() => void} close
 */

/**
 * @param {import('../../types').PlatformSettings} settings
 * @param {{ action: string, advice?: string, neededBy?: string, signal?: AbortSignal }} how action: whose errors speak of it;
 *   advice: what to do when the platform refuses a request for what it asks; neededBy: a command that nothing else can serve
 * @returns {Platform}
 */
function openPlatform(settings, { action, advice, neededBy, signal }) {
  const facts = { apihost: settings.apihost, action, advice, neededBy, keyFrom: settings.keyFrom }
  const agent = createAgent(settings.apihost, { rejectUnauthorized: !settings.insecure, ca: settings.ca })
  const client = connect(settings)

  /** @type {Platform['ask']} */
  async function ask(request, limitMs = ANSWER_LIMIT_MS) {
    const deadlines = { connectMs: Math.min(CONNECT_LIMIT_MS, limitMs), answerMs: limitMs, bodyMs: limitMs }
    const asked = (/** @type {Record<string, unknown>} */ transport) => request(client, transport)
    const { body, error, head } = await call(agent, asked, { signal, deadlines, now: Date.now })
    if (error) throw explain(error, head?.headers)
    return body
  }

  /** @param {any} error the client's @param {import('node:http').IncomingHttpHeaders} [headers] of its answer */
  function explain(error, headers) {
    if (typeof error.error?.error === 'string') error.error = { ...error.error, error: asClause(error.error.error) }
    const explained = fromPlatformError(error, facts, Date.now(), { headers })
    if (explained.code !== 'PLATFORM_REFUSED' || explained.facts.status !== 409) return explained
    return new XferError('PLATFORM_CONFLICT', explained.facts, { cause: error })
  }

  return {
    facts,
    ask,
    async find(request) {
      try {
        return await ask(request)
      } catch (error) {
        if (/** @type {import('../../types').XferError} */ (error).code === 'ACTION_NOT_DEPLOYED') return undefined
        throw error
      }
    },
    close: () => agent.destroy(),
  }
}

/** What a platform says in sentences and lines, as one that can stand inside of ours. @param {string} text */
function asClause(text) {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[.!?] ([A-Z])/g, (_, letter) => `; ${letter.toLowerCase()}`)
}

module.exports = { openPlatform, asClause }
