'use strict'

/**
 * The client of the platform that the whole engine uses, deployment and checks included: single requests through the npm
 * client, each with deadlines. Each failure is an error of the table.
 */

const { agent: createAgent } = require('../../../http')
const { call } = require('./call')
const { XferError, deployCommand } = require('./errors')
const { fromPlatformError } = require('./refusals')

/** @typedef {import('./call').Answer} Answer */
/** @typedef {(npm: any, transport: Record<string, unknown>) => Promise<any>} Request made with the npm client, which is given `transport` */

const CONNECT_LIMIT_MS = 10_000
const SILENCE_MS = 20_000

/**
 * @typedef {object} Asking
 * @property {AbortSignal} [signal] the client's own when absent
 * @property {number} [limitMs] how long the answer may take; `silenceMs` of the client when absent
 *
 * @typedef {object} Client
 * @property {Record<string, any> & { apihost: string, where: string, action: string }} facts what its errors say of the platform
 * @property {(request: Request, asking?: Asking) => Promise<Answer>} call one request, whatever it is answered; rejects with the
 *   abort's reason alone
 * @property {(request: Request, asking?: Asking & { answers?: Answer[] }) => Promise<any>} ask one request; resolves to its answer's
 *   body, rejects with an XferError; answers: takes the answer, whatever it is
 * @property {(request: Request) => Promise<any>} find likewise; undefined where there is no such thing
 * @property {(answer: Answer, how?: { invoking?: boolean }) => import('../../../types').XferError} explain what a failed answer means;
 *   invoking: it is one to an invocation
 * @property {() => void} close
 */

/**
 * @param {import('./settings').PlatformSettings} settings
 * @param {object} how
 * @param {string} how.action whose errors speak of it, with its package
 * @param {string} [how.advice] what to do when the platform refuses a request for what it asks
 * @param {string} [how.neededBy] a command that nothing else can serve
 * @param {number} [how.silenceMs] how long the platform may keep a question waiting
 * @param {number} [how.connections] worth keeping
 * @param {boolean} [how.configures] the client deploys, or checks a deployment: errors give the platform's reasons in full, and a
 *   conflict (HTTP 409) is PLATFORM_CONFLICT, which is retryable
 * @param {AbortSignal} [how.signal]
 * @param {() => number} [how.now] epoch milliseconds
 * @returns {Client}
 */
function openClient(settings, how) {
  const { action, advice, neededBy, silenceMs = SILENCE_MS, connections, configures = false, now = Date.now } = how
  const { apihost, keyFrom } = settings
  const known = { apihost, where: apihost, action, keyFrom, deployCommand: deployCommand({ action }) }
  const facts = { ...known, ...(advice && { advice }), ...(neededBy && { neededBy }) }
  const agent = createAgent(apihost, {
    rejectUnauthorized: !settings.insecure,
    ca: settings.ca,
    ...(connections !== undefined && { maxFreeSockets: connections }),
  })
  const client = connect(settings)

  /** @type {Client['call']} */
  function callOnce(request, { signal = how.signal, limitMs = silenceMs } = {}) {
    const deadlines = { connectMs: Math.min(CONNECT_LIMIT_MS, silenceMs), answerMs: limitMs, bodyMs: silenceMs }
    return call(agent, transport => request(client, transport), { signal, deadlines, now })
  }

  /** @type {Client['explain']} */
  function explain({ error, head, sent }, { invoking = false } = {}) {
    const known = { ...facts, activationId: activationIdOf(head), ...(!sent && { uncertain: false }) }
    const told = configures ? withWholeReason(error) : error
    const explained = fromPlatformError(told, known, now(), { headers: head?.headers, invoking })
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
        if (/** @type {import('../../../types').XferError} */ (error).code === 'ACTION_NOT_DEPLOYED') return undefined
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
  // Our agent knows the proxy; the client would send what is meant for an https host to it in the clear.
  client.actions.client.options.proxy = undefined
  // The client's own error keeps the text of Node's and loses its code; the request behind it, with the key and all
  // signatures, must not travel on.
  client.actions.client.handleErrors = (/** @type {any} */ { message, code, statusCode, error }) => {
    throw Object.assign(new Error(message), { code, statusCode, error })
  }
  return client
}

/**
 * A request for what the npm client has no method of.
 *
 * @param {string} path below `api/v1/`, or a URL
 * @returns {Request}
 */
const getPath = path => (npm, transport) => npm.actions.client.request('GET', path, transport)

/** @param {import('./call').Head | undefined} head @returns {string | undefined} the id of the activation that was begun */
function activationIdOf(head) {
  const id = head?.headers['x-openwhisk-activation-id']
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined
}

/** @param {any} error the npm client's @returns {any} the same, with all that the platform says */
function withWholeReason(error) {
  if (typeof error.error?.error !== 'string') return error
  return Object.assign(error, { error: { ...error.error, error: asClause(error.error.error) } })
}

/** What a platform says in sentences and lines, as one that can stand inside of ours. @param {string} text */
function asClause(text) {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[.!?] ([A-Z])/g, (_, letter) => `; ${letter.toLowerCase()}`)
}

module.exports = { activationIdOf, getPath, openClient }
