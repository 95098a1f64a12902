'use strict'

/** The engine `openwhisk`: invokes the deployed action through the platform's npm client. */

const { XferError } = require('../../errors')
const { agent: createAgent, isLoopback } = require('../../http')
const { createActivations } = require('./activations')
const { toParameters, toOutcomes } = require('../common/protocol')
const { call, connect } = require('./client')
const { fromPlatformError } = require('./errors')
const { fromActivation } = require('./failures')
const { checkVersion, leavesOpen, readLimits } = require('./limits')
const { systemClock } = require('../../async')
const { skewOf } = require('./skew')

/** @typedef {import('../../types').Engine} Engine */
/** @typedef {import('../../types').Clock} Clock */
/** @typedef {import('./client').Answer} Answer */

const ACTION = 'xfer/copy-range'

const CONNECT_LIMIT_MS = 10_000
const SILENCE_MS = 30_000
/** A blocking call is answered after 60 s at the latest; the platform's own limit for a request is 65 s. */
const ANSWER_LIMIT_MS = 75_000
/** What an activation may spend queued, starting and being recorded, beyond the time it may run. */
const ACTIVATION_GRACE_MS = 120_000
/** The platform's own page is worth no more than that. */
const ROOT_LIMIT_MS = 10_000
const USUAL_TIMEOUT_MS = 60_000
const MiB = 1024 ** 2
/** Failures of the question for the namespace's limits, before it counts as not answered. */
const MOST_UNTOLD = 3

/**
 * @param {import('../../types').PlatformSettings} platform
 * @param {object} [options]
 * @param {string} [options.action] with its package, or with a binding to it
 * @param {number} [options.silenceMs] how long the platform may keep a question waiting that is no invocation, and a
 *   function's connection may move no byte
 * @param {'socket' | 'http'} [options.transport] of the action's requests, other than the usual one
 * @param {number} [options.answerLimitMs] how long an invocation may be without any answer
 * @param {Partial<import('../../types').EngineLimits>} [options.limits] which hold whatever the platform says of itself
 * @param {number} [options.concurrency] connections worth keeping
 * @param {boolean} [options.paced] whether invocations will be asked to hold a rate
 * @param {Clock} [options.clock] of the waiting for records
 * @returns {Engine}
 */
function createOpenWhiskEngine(platform, options = {}) {
  const {
    action = ACTION,
    silenceMs,
    transport,
    answerLimitMs = ANSWER_LIMIT_MS,
    limits: given = {},
    concurrency,
    paced = false,
    clock,
  } = options
  const facts = { apihost: platform.apihost, action, keyFrom: platform.keyFrom }
  const agent = createAgent(platform.apihost, {
    rejectUnauthorized: !platform.insecure,
    ca: platform.ca,
    ...(concurrency !== undefined && { maxFreeSockets: concurrency }),
  })
  const client = connect(platform)
  const { now } = clock ?? systemClock
  const controlLimitMs = silenceMs ?? SILENCE_MS
  let timeoutMs = USUAL_TIMEOUT_MS
  let skewMs = 0
  let untold = 0
  /** As records name it, which through a binding is not as we do. */
  let recorded = action

  /** @param {number} answerMs */
  const deadlines = answerMs => ({
    connectMs: Math.min(CONNECT_LIMIT_MS, controlLimitMs),
    answerMs,
    bodyMs: controlLimitMs,
  })

  /** @param {Answer} answer */
  function failureOf({ error, head, sent }, invoking = false) {
    const known = { ...facts, activationId: activationIdOf(head), ...(!sent && { uncertain: false }) }
    return fromPlatformError(error, known, now(), { headers: head?.headers, invoking })
  }

  /**
   * A question that is no invocation.
   *
   * @param {AbortSignal | undefined} signal
   * @param {(transport: Record<string, unknown>) => Promise<any>} request
   * @param {Answer[]} [answers] takes the answer, whatever it is
   */
  async function ask(signal, request, answers, limitMs = controlLimitMs) {
    const answer = await call(agent, request, { signal, deadlines: deadlines(limitMs), now })
    answers?.push(answer)
    if (answer.error) throw failureOf(answer)
    return answer.body
  }

  const activations = createActivations(
    {
      get: (id, signal) =>
        ask(signal, transport => client.activations.get({ name: id, ...transport })).catch(error => {
          if (error.facts?.status === 404) return undefined
          throw error
        }),
      list: ({ since, ...query }, signal) =>
        ask(signal, transport =>
          client.activations.list({
            name: recorded,
            docs: true,
            since: Math.floor(since + skewMs),
            ...query,
            ...transport,
          }),
        ),
    },
    { facts, clock },
  )

  /**
   * Hosted platforms answer neither, and are none the worse for it: what is not known shows by refusals.
   *
   * @param {AbortSignal | undefined} signal
   * @param {Answer[]} answers
   * @returns {Promise<{ namespace?: any, root?: any }>}
   */
  async function askLimits(signal, answers) {
    const path = `namespaces/${encodeURIComponent(platform.namespace)}/limits`
    const { request } = client.actions.client
    const get = (/** @type {string} */ url) => (/** @type {object} */ transport) =>
      request.call(client.actions.client, 'GET', url, transport)
    const namespace = await ask(signal, get(path), answers).catch(error => {
      // A gateway that never lets the question through is no reason not to copy.
      const passing = error.retryable && error.facts.status !== 501 && ++untold < MOST_UNTOLD
      if (passing || signal?.aborted) throw error
    })
    if (!leavesOpen(namespace, given)) return { namespace }
    const limitMs = Math.min(ROOT_LIMIT_MS, controlLimitMs)
    const root = await ask(signal, get(`${platform.apihost}/`), answers, limitMs).catch(error => {
      if (signal?.aborted) throw error
    })
    return { namespace, root }
  }

  /** @type {Engine} */
  const engine = {
    name: 'openwhisk',
    where: platform.apihost,
    reach: isLoopback(new URL(platform.apihost).hostname) ? 'local' : 'network',
    runsOn: 'platform',
    can: {
      cancel: false,
      pace: false,
      progress: false,
      // It runs an activation again whose container has died.
      once: false,
      async features(wanted, { signal } = {}) {
        await engine.run([], { signal, needs: wanted })
      },
    },
    partBytes: { usual: 96 * MiB, least: 16 * MiB },

    /** What is deployed, and what the platform allows: so a missing action, an old one and a wrong key show here. */
    async limits({ signal } = {}) {
      /** @type {Answer[]} */
      const answers = []
      const get = (/** @type {object} */ transport) => client.actions.get({ name: action, code: false, ...transport })
      const deployed = await ask(signal, get, answers)
      if (typeof deployed?.name !== 'string') {
        throw new XferError('NOT_A_PLATFORM', { ...facts, reason: 'it answers with something else than an action' })
      }
      checkVersion(deployed, facts)
      const documents = { deployed, ...(await askLimits(signal, answers)) }
      skewMs = skewOf(answers.flatMap(({ head }) => (head ? [{ ...head, date: head.headers.date }] : [])))
      timeoutMs = readLimits(documents, { given: {}, skewMs }).timeoutMs
      recorded = recordedName(deployed) ?? action
      // Before any byte is moved: one that takes no notice of a rate would move them all at once.
      if (paced) await engine.run([], { signal, bytesPerSecond: 1 })
      return readLimits(documents, { given, skewMs })
    },

    async ping({ signal } = {}) {
      await ask(signal, transport => client.actions.get({ name: action, code: false, ...transport }))
    },

    async run(tasks, { signal, parallel, bytesPerSecond, needs } = {}) {
      const sinceMs = now()
      const params = toParameters(tasks, { parallel, stallMs: silenceMs, bytesPerSecond, transport })
      const invoke = (/** @type {object} */ transport) =>
        client.actions.invoke({ name: action, blocking: true, params, ...transport })
      const answer = await call(agent, invoke, { signal, deadlines: deadlines(answerLimitMs), now })
      const body = bodyOf(answer)
      const activationId = body?.activationId ?? activationIdOf(answer.head)
      const known = { ...facts, activationId }
      const asked = { ...known, bytesPerSecond, needs }
      // 202, or an answer that did not come whole: what came of the activation is in its record.
      const untold = body?.response === undefined && typeof body?.error !== 'string'
      if (untold && typeof activationId === 'string') {
        const forMs = timeoutMs + ACTIVATION_GRACE_MS
        const record = await activations.wait(activationId, { sinceMs, forMs, signal })
        return toOutcomes(fromActivation(record, known), tasks, asked)
      }
      if (answer.error) throw failureOf(answer, true)
      return toOutcomes(fromActivation(body, known), tasks, asked)
    },

    async close() {
      activations.close()
      agent.destroy()
    },
  }
  return engine
}

/** What the platform said, with a success or without. @param {Answer} answer @returns {any} undefined where it said nothing that can be read */
function bodyOf({ body, error }) {
  const said = error ? (error.statusCode === undefined ? undefined : error.error) : body
  return typeof said === 'object' && said !== null && !Array.isArray(said) ? said : undefined
}

/** @param {import('./client').Head | undefined} head @returns {string | undefined} */
function activationIdOf(head) {
  const id = head?.headers['x-openwhisk-activation-id']
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined
}

/** `package/action` of where it really is. @param {any} deployed @returns {string | undefined} */
function recordedName({ name, namespace }) {
  if (typeof namespace !== 'string') return undefined
  const [, packageName] = namespace.split('/')
  return packageName ? `${packageName}/${name}` : name
}

module.exports = { createOpenWhiskEngine }
