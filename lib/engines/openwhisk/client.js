'use strict'

/**
 * What sends every request to the platform, those of deployment and checks included (`resources.js`): with deadlines. Each failure
 * is an error of the table. https://github.com/apache/openwhisk/blob/master/docs/rest_api.md
 */

const { throwIfAborted } = require('../../errors')
const { agent: createAgent, exchange } = require('../../http')
const { readJson } = require('../common')
const { XferError, factsOf, fromPlatformError } = require('./errors')

/** @typedef {import('../../http/send').AnswerHead} AnswerHead */

/**
 * @typedef {object} OpenWhiskRequest
 * @property {string} [method] default: GET
 * @property {string} path below `api/v1/`, or a URL; `namespaces/_/` stands for the namespace of the settings
 * @property {Record<string, any>} [query]
 * @property {object} [body] sent as JSON
 * @property {Record<string, string>} [headers] in addition to the usual ones
 *
 * @typedef {object} OpenWhiskAnswer
 * @property {any} [body] parsed JSON, or text if it is not JSON
 * @property {AnswerHead} [head] undefined without an answer
 * @property {import('../../http/send').Lost} [lost] why it did not come, or not whole
 */

const CONNECT_LIMIT_MS = 10_000
const SILENCE_MS = 20_000
/** The most bytes of an answer: far more than the largest page of activations, but little memory. */
const MOST_BYTES = 64 * 1024 ** 2

/**
 * @typedef {object} Asking
 * @property {AbortSignal} [signal] the client's own when absent
 * @property {number} [limitMs] how long the answer may take; default: `silenceMs` of the client
 *
 * @typedef {object} OpenWhiskClient
 * @property {Record<string, any> & { where: string, action: string }} facts facts of its errors
 * @property {(request: OpenWhiskRequest, asking?: Asking) => Promise<OpenWhiskAnswer>} call sends one request; resolves to any answer, also to a
 *   failure; rejects only with the abort's reason
 * @property {(request: OpenWhiskRequest, asking?: Asking) => Promise<any>} ask sends one request; resolves to the answer's body, rejects with
 *   an XferError
 * @property {() => AnswerHead | undefined} lastHead of what was asked
 * @property {(answer: OpenWhiskAnswer, how?: { invoking?: boolean }) => import('../../types').XferError} explain the error of a failed
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
 * @returns {OpenWhiskClient}
 */
function openClient(settings, how) {
  const { action, whenRefused, neededBy, silenceMs = SILENCE_MS, connections, configures = false } = how
  const { apihost, keyFrom } = settings
  const facts = { ...factsOf(apihost, action), keyFrom, whenRefused, neededBy }
  const agent = createAgent(apihost, {
    rejectUnauthorized: !settings.insecure,
    ca: settings.ca,
    proxy: settings.proxy,
    maxFreeSockets: connections,
  })
  const bounds = { agent, connectMs: Math.min(CONNECT_LIMIT_MS, silenceMs), silenceMs, most: MOST_BYTES }

  /** @type {AnswerHead | undefined} */
  let lastHead

  /** @type {OpenWhiskClient['call']} */
  async function call(request, { signal = how.signal, limitMs = silenceMs } = {}) {
    throwIfAborted(signal)
    try {
      const { body, ...head } = await exchange(toRequest(request, settings), { ...bounds, signal, limitMs })
      return { body: read(body), head }
    } catch (error) {
      if (error instanceof XferError) throw error
      const lost = /** @type {import('../../http/send').Lost} */ (error)
      return { lost, head: lost.head }
    }
  }

  /** @type {OpenWhiskClient['explain']} */
  function explain(answer, { invoking = false } = {}) {
    const known = { ...facts, activationId: activationIdOf(answer.head) }
    if (!configures) return fromPlatformError(answer, known, { invoking })
    const reason = answer.body?.error
    const body = typeof reason === 'string' ? { ...answer.body, error: asClause(reason) } : answer.body
    const explained = fromPlatformError({ ...answer, body }, known)
    if (explained.code !== 'PLATFORM_REFUSED' || explained.facts.status !== 409) return explained
    return new XferError('PLATFORM_CONFLICT', explained.facts)
  }

  /** @type {OpenWhiskClient['ask']} */
  async function ask(request, asking) {
    const answer = await call(request, asking)
    lastHead = answer.head ?? lastHead
    if (isFailure(answer)) throw explain(answer)
    return answer.body
  }

  return {
    facts,
    call,
    ask,
    lastHead: () => lastHead,
    explain,
    close: () => agent.destroy(),
  }
}

/** @param {OpenWhiskRequest} request @param {import('./settings').PlatformSettings} settings */
function toRequest({ method = 'GET', path, query, body: document, headers }, { apihost, auth, namespace }) {
  const named = path.replace(/^namespaces\/_\//, `namespaces/${encodeURIComponent(namespace)}/`)
  const url = new URL(named, `${apihost}/api/v1/`)
  url.search = String(new URLSearchParams(query))
  const body = document && Buffer.from(JSON.stringify(document))
  return {
    method,
    url: url.href,
    headers: {
      accept: 'application/json',
      'user-agent': 'xfer',
      authorization: `Basic ${Buffer.from(auth).toString('base64')}`,
      // Gateways before several namespaces go by it.
      'x-namespace-id': namespace,
      ...headers,
      ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
    },
    body,
  }
}

/** @param {Buffer | undefined} bytes undefined: too many @returns {any} JSON, or text if it is none */
function read(bytes) {
  if (!bytes) throw Object.assign(new Error('the answer is too long'), { code: 'ECONNRESET' })
  const value = readJson(bytes)
  return value === undefined ? bytes.toString() : value
}

/** @param {AnswerHead | undefined} head @returns {string | undefined} the id of the activation that was started */
function activationIdOf(head) {
  const id = head?.headers['x-openwhisk-activation-id']
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined
}

/** @param {OpenWhiskAnswer} answer */
const isFailure = ({ head, lost }) => lost !== undefined || Number(head?.status) >= 400

/** Joins the platform's sentences and lines to one clause, for use within a sentence. @param {string} text */
function asClause(text) {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[.!?] ([A-Z])/g, (_, letter) => `; ${letter.toLowerCase()}`)
}

module.exports = { activationIdOf, isFailure, openClient }
