'use strict'

/** The engine `openwhisk`: invokes the deployed action through the platform's npm client. */

const { setTimeout: delay } = require('node:timers/promises')
const { XferError, abortReason, throwIfAborted } = require('../errors')
const { agent: createAgent } = require('../http/agents')
const { isLoopback } = require('../http/loopback')
const { toParameters, toOutcomes } = require('./interface')
const { fromActivation, fromPlatformError } = require('./openwhisk-errors')

/** @typedef {import('../types').Engine} Engine */
/** @typedef {import('../types').EngineLimits} EngineLimits */

const ACTION = 'xfer/copy-range'

/** A blocking call is answered after 60 s at the latest; the platform's own limit for a request is 65 s. */
const ANSWER_LIMIT_MS = 75_000
const CONNECT_LIMIT_MS = 10_000
const SILENCE_MS = 30_000
/** What an activation may spend queued, starting and being recorded, beyond the time it may run. */
const ACTIVATION_GRACE_MS = 120_000
const POLL_FIRST_MS = 500
const POLL_MOST_MS = 5_000

/**
 * @param {import('../types').PlatformSettings} platform
 * @param {{ now?: () => number, action?: string, silenceMs?: number }} [options] silenceMs: how long the platform may
 *   keep a question waiting that is no invocation, and a function's connection may move no byte
 * @returns {Engine}
 */
function createOpenWhiskEngine(platform, { now = Date.now, action = ACTION, silenceMs } = {}) {
  const facts = { apihost: platform.apihost, action }
  const agent = createAgent(platform.apihost, { rejectUnauthorized: !platform.insecure })
  const client = connect(platform, agent)
  const controlLimitMs = silenceMs ?? SILENCE_MS
  let timeoutMs = 60_000

  /** @param {AbortSignal} signal @param {number} limitMs */
  const transportFor = (signal, limitMs) => ({
    // Passed through to the HTTP client, which has no deadline of its own and would take a proxy past our agent.
    open_timeout: Math.min(CONNECT_LIMIT_MS, limitMs),
    response_timeout: limitMs,
    read_timeout: controlLimitMs,
    use_proxy_from_env_var: false,
    signal,
  })

  /**
   * @template T
   * @param {AbortSignal | undefined} signal
   * @param {number} limitMs how long the answer may take
   * @param {(transport: Record<string, unknown>) => Promise<T>} request
   * @returns {Promise<T>}
   */
  async function ask(signal, limitMs, request) {
    throwIfAborted(signal)
    const startedMs = Date.now()
    // A signal of its own: the HTTP client never takes its listener off, and a job's signal outlives many calls.
    const call = new AbortController()
    const cancel = () => call.abort()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await request(transportFor(call.signal, limitMs))
    } catch (error) {
      if (signal?.aborted) throw abortReason(signal)
      // The HTTP client cuts the connection when its deadline has passed, and says no more than that it was cut.
      const late = Date.now() - startedMs >= Math.min(CONNECT_LIMIT_MS, controlLimitMs)
      const cut = late && /** @type {any} */ (error).statusCode === undefined
      throw fromPlatformError(cut ? Object.assign(Object(error), { code: 'ETIMEDOUT' }) : error, facts, now())
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  /**
   * A blocking call that took too long is answered with the activation's id alone; its record appears when it is done,
   * and until then a 404 means not yet.
   *
   * @param {string} activationId
   * @param {AbortSignal | undefined} signal
   */
  async function awaitActivation(activationId, signal) {
    const limitMs = timeoutMs + ACTIVATION_GRACE_MS
    const until = now() + limitMs
    for (let waitMs = POLL_FIRST_MS; now() < until; waitMs = Math.min(waitMs * 1.5, POLL_MOST_MS)) {
      await delay(waitMs, undefined, { signal }).catch(() => throwIfAborted(signal))
      try {
        return await ask(signal, controlLimitMs, transport =>
          client.activations.get({ name: activationId, ...transport }),
        )
      } catch (error) {
        const { code, facts: found } = /** @type {import('../types').XferError} */ (error)
        const passing = /** @type {import('../types').XferError} */ (error).retryable || found.status === 404
        if (!passing || code === 'ACTIVATION_FAILED') throw error
      }
    }
    throw new XferError('ACTIVATION_LOST', { ...facts, activationId, afterMs: limitMs })
  }

  return {
    name: 'openwhisk',
    reach: isLoopback(new URL(platform.apihost).hostname) ? 'local' : 'network',
    cancels: false,
    where: platform.apihost,

    /** The namespace's limits, and the deployed action's own: so a missing action or a wrong key shows here. */
    async limits({ signal } = {}) {
      const deployed = await ask(signal, controlLimitMs, transport =>
        client.actions.get({ name: action, code: false, ...transport }),
      )
      if (typeof deployed?.name !== 'string') {
        throw new XferError('NOT_A_PLATFORM', { ...facts, reason: 'it answers with something else than an action' })
      }
      const allowed = await ask(signal, controlLimitMs, transport => namespaceLimits(client, platform, transport))
      timeoutMs = deployed?.limits?.timeout ?? timeoutMs
      return {
        concurrent: positive(allowed.concurrentInvocations) ?? Number.POSITIVE_INFINITY,
        perMinute: positive(allowed.invocationsPerMinute) ?? Number.POSITIVE_INFINITY,
        timeoutMs,
        answerMs: 60_000,
        memoryBytes: (deployed?.limits?.memory ?? 256) * 1024 ** 2,
        payloadBytes: 1024 ** 2,
        skewMs: 0,
      }
    },

    async run(tasks, { signal, parallel } = {}) {
      const invocation = {
        name: action,
        blocking: true,
        params: toParameters(tasks, { parallel, stallMs: silenceMs }),
      }
      /** @type {any} */
      let activation = await ask(signal, ANSWER_LIMIT_MS, transport =>
        client.actions.invoke({ ...invocation, ...transport }),
      )
      if (!activation?.response && typeof activation?.activationId === 'string') {
        activation = await awaitActivation(activation.activationId, signal)
      }
      return toOutcomes(fromActivation(activation, facts), tasks, facts)
    },

    async close() {
      agent.destroy()
    },
  }
}

/**
 * @param {import('../types').PlatformSettings} platform
 * @param {import('node:http').Agent} agent
 * @returns {any} the npm client
 */
function connect(platform, agent) {
  const openwhisk = require('openwhisk')
  /** @type {any} */
  const client = openwhisk({
    apihost: platform.apihost,
    api_key: platform.auth,
    namespace: platform.namespace,
    ignore_certs: platform.insecure,
    agent,
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
 * `GET namespaces/_/limits`, which the npm client has no method for. A platform that does not answer it (hosted ones)
 * sets no limit that could be known beforehand.
 *
 * @param {any} client
 * @param {import('../types').PlatformSettings} platform
 * @param {Record<string, unknown>} transport
 * @returns {Promise<{ concurrentInvocations?: number, invocationsPerMinute?: number }>}
 */
async function namespaceLimits(client, platform, transport) {
  try {
    const path = `namespaces/${encodeURIComponent(platform.namespace)}/limits`
    return (await client.actions.client.request('GET', path, transport)) ?? {}
  } catch (error) {
    const { statusCode } = /** @type {{ statusCode?: number }} */ (error)
    if (statusCode === 404 || statusCode === 405) return {}
    throw error
  }
}

/** @param {unknown} value */
function positive(value) {
  return typeof value === 'number' && value > 0 ? value : undefined
}

module.exports = { createOpenWhiskEngine, connect, ACTION }
