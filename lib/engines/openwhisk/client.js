'use strict'

/**
 * The client of the platform that the whole engine uses, deployment and checks included: single requests through the npm
 * client, each with deadlines. Each failure is an error of the table.
 */

const { agent: createAgent } = require('../../http')
const { call } = require('./call')
const { XferError, factsOf } = require('./errors')
const { fromPlatformError } = require('./refusals')

/** @typedef {import('./call').Answer} Answer */
/** @typedef {(npm: any, httpOptions: Record<string, unknown>) => Promise<any>} Request calls a method of the npm client, and passes `httpOptions` on */

const CONNECT_LIMIT_MS = 10_000
const SILENCE_MS = 20_000

/**
 * @typedef {object} Asking
 * @property {AbortSignal} [signal] the client's own when absent
 * @property {number} [limitMs] how long the answer may take; default: `silenceMs` of the client
 *
 * @typedef {object} Client
 * @property {Record<string, any> & { where: string, action: string }} facts facts of its errors
 * @property {(request: Request, asking?: Asking) => Promise<Answer>} call sends one request; resolves to any answer, also to a
 *   failure; rejects only with the abort's reason
 * @property {(request: Request, asking?: Asking & { answers?: Answer[] }) => Promise<any>} ask sends one request; resolves to the
 *   answer's body, rejects with an XferError; answers: the answer is appended, also a failure
 * @property {(request: Request) => Promise<any>} find as `ask`; resolves to undefined if there is no such thing
 * @property {(answer: Answer, how?: { invoking?: boolean }) => import('../../types').XferError} explain the error of a failed
 *   answer; invoking: it answers an invocation
 * @property {() => void} close
 */

/**
 * @param {import('./settings').PlatformSettings} settings
 * @param {object} how
 * @param {string} how.action for errors: the action, with its package
 * @param {string} [how.whenRefused] for errors: what to do when the platform refuses a request
 * @param {string} [how.neededBy] for errors: a command that needs a platform
 * @param {number} [how.silenceMs] how long the platform may take to answer
 * @param {number} [how.connections] how many idle connections to keep
 * @param {boolean} [how.configures] the client deploys, or checks a deployment: errors give the platform's reasons in full, and a
 *   conflict (HTTP 409) is PLATFORM_CONFLICT, which is retryable
 * @param {AbortSignal} [how.signal]
 * @param {() => number} [how.now] epoch milliseconds
 * @returns {Client}
 */
function openClient(settings, how) {
  const { action, whenRefused, neededBy, silenceMs = SILENCE_MS, connections, configures = false, now = Date.now } = how
  const { apihost, keyFrom } = settings
  const facts = { ...factsOf(apihost, action), keyFrom, whenRefused, neededBy }
  const agent = createAgent(apihost, {
    rejectUnauthorized: !settings.insecure,
    ca: settings.ca,
    proxy: settings.proxy,
    ...(connections !== undefined && { maxFreeSockets: connections }),
  })
  const client = connect(settings)

  /** @type {Client['call']} */
  function callOnce(request, { signal = how.signal, limitMs = silenceMs } = {}) {
    const deadlines = { connectMs: Math.min(CONNECT_LIMIT_MS, silenceMs), answerMs: limitMs, bodyMs: silenceMs }
    return call(agent, httpOptions => request(client, httpOptions), { signal, deadlines, now })
  }

  /** @type {Client['explain']} */
  function explain({ error, head, sent }, { invoking = false } = {}) {
    const known = { ...facts, activationId: activationIdOf(head), ...(!sent && { uncertain: false }) }
    const given = configures ? withFullReason(error) : error
    const explained = fromPlatformError(given, known, { headers: head?.headers, invoking })
    if (!configures || explained.code !== 'PLATFORM_REFUSED' || explained.facts.status !== 409) return explained
    return new XferError('PLATFORM_CONFLICT', explained.facts, { cause: error })
  }

  /** @type {Client['ask']} */
  async function ask(request, { answers, ...asking } = {}) {
    const answer = await callOnce(request, asking)
    answers?.push(answer)
    if (answer.error) throw explain(answer)
    return answer.body
  }

  return {
    facts,
    call: callOnce,
    ask,
    async find(request) {
      try {
        return await ask(request)
      } catch (error) {
        if (/** @type {import('../../types').XferError} */ (error).code === 'ACTION_NOT_DEPLOYED') return undefined
        throw error
      }
    },
    explain,
    close: () => agent.destroy(),
  }
}

/**
 * @param {import('./settings').PlatformSettings} settings
 * @returns {any} the npm client
 */
function connect(settings) {
  const openwhisk = require('openwhisk')
  /** @type {any} */
  const client = openwhisk({
    apihost: settings.apihost,
    api_key: settings.auth,
    namespace: settings.namespace,
    ignore_certs: settings.insecure,
  })
  // Our agent handles the proxy. The client itself would send requests for an https host to the proxy unencrypted.
  client.actions.client.options.proxy = undefined
  // The client's own errors lose Node's error code. They also hold the request, whose key and signatures must not be passed on.
  client.actions.client.handleErrors = (/** @type {any} */ { message, code, statusCode, error }) => {
    throw Object.assign(new Error(message), { code, statusCode, error })
  }
  return client
}

/**
 * A request for which the npm client has no method.
 *
 * @param {string} path below `api/v1/`, or a URL
 * @returns {Request}
 */
const getPath = path => (npm, httpOptions) => npm.actions.client.request('GET', path, httpOptions)

/** @param {import('./call').Head | undefined} head @returns {string | undefined} the id of the activation that was started */
function activationIdOf(head) {
  const id = head?.headers['x-openwhisk-activation-id']
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined
}

/** @param {any} error of the npm client @returns {any} the same error, with the platform's full reason */
function withFullReason(error) {
  if (typeof error.error?.error !== 'string') return error
  return Object.assign(error, { error: { ...error.error, error: asClause(error.error.error) } })
}

/** Joins the platform's sentences and lines to one clause, for use within a sentence. @param {string} text */
function asClause(text) {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[.!?] ([A-Z])/g, (_, letter) => `; ${letter.toLowerCase()}`)
}

module.exports = { activationIdOf, getPath, openClient }
