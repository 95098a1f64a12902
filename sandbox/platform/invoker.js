'use strict'

const { randomBytes } = require('node:crypto')
const { setTimeout: delay } = require('node:timers/promises')
const { runWithDeath } = require('../common/processes/pool')
const { messages, errorResponse, initOutcome, runOutcome } = require('./errors')

/** @import { Action, Activation, ActivationResponse, Container, Fault, KeyValue, Settings } from './types' */

const MIB = 1024 * 1024
/** How long a container whose connection broke may take to end. */
const EXIT_WAIT_MS = 500

/**
 * @typedef {object} Invocation
 * @property {string} activationId
 * @property {Promise<Activation>} answered the record when the action has answered
 * @property {Promise<Activation>} completed the same when its place is free again
 *
 * @typedef {object} Request
 * @property {Action} action
 * @property {Record<string, unknown>} parameters merged
 * @property {string} transactionId
 * @property {boolean} blocking
 * @property {boolean} extraLogging
 * @property {Fault} fault
 */

/**
 * Calls /run once, with the effects of the call's fault.
 *
 * @param {Container} container
 * @param {unknown} body
 * @param {{ timeoutMs: number, maxBytes: number, onSent: () => void }} options
 * @param {Fault} fault
 * @returns {Promise<import('./types').ContainerAnswer>}
 */
async function runWithFault(container, body, { onSent, ...limits }, fault) {
  const { killed, outcome } = await runWithDeath(container, fault, onTimed =>
    container.post('/run', body, {
      ...limits,
      onSent() {
        onSent()
        onTimed()
      },
    }),
  )
  if (killed) return { kind: 'gone', refused: false }
  if (!fault.answer || outcome.kind !== 'answer') return outcome
  const { status = 200, body: said } = fault.answer
  const text = JSON.stringify(said)
  return { kind: 'answer', status, text, bytes: Buffer.byteLength(text), truncated: false }
}

/** @param {Action} action @param {string} namespace */
const pathOf = (action, namespace) => [namespace, action.package, action.name].filter(Boolean).join('/')

/** @param {KeyValue[]} annotations @param {string} key */
const isTruthy = (annotations, key) => {
  const found = annotations.find(annotation => annotation.key === key)
  return Boolean(found && found.value !== 'false' && found.value !== '0' && found.value)
}

/**
 * Runs activations in the pool's containers. Upstream: core/invoker ContainerProxy.scala initializeAndRun, common Container.scala.
 *
 * @param {object} options
 * @param {Settings} options.settings
 * @param {() => string} options.apihost
 * @param {{ submit(job: import('../common/processes/pool').Job<Container, Action>): void }} options.pool
 * @param {(event: 'start' | 'run', facts: { activationId: string, action: string, pid: number | undefined, cold: boolean }) => void} options.notify
 *   start: a container is given it; run: /run was sent
 */
function createInvoker({ settings, apihost, pool, notify }) {
  /**
   * @param {Request} request
   * @returns {Invocation}
   */
  function invoke(request) {
    const activationId = randomBytes(16).toString('hex')
    const receivedMs = Date.now()
    const { action } = request
    let { fault } = request
    const { completionMs } = settings

    /** @type {Promise<Activation>} */
    const answered = new Promise(resolve => {
      pool.submit({
        kind: action,
        async execute(container) {
          const run = await activate(container, { ...request, fault, activationId, receivedMs })
          if (run === 'rerun') fault = { ...fault, rerun: undefined, killAfterMs: undefined }
          if (run === 'rerun' || run === 'reschedule') return 'reschedule'
          resolve(run)
          const dead = run.response.statusCode >= 2
          if (dead) container.kill()
          if (completionMs > 0) await delay(completionMs)
          return dead ? 'destroy' : 'keep'
        },
        fail() {
          const times = { start: receivedMs, end: Date.now(), timings: [], timeout: false }
          resolve(describe(request, { activationId, ...times, response: errorResponse(3, messages.notProvisioned) }))
        },
      })
    })
    const completed = answered.then(record => (completionMs > 0 ? delay(completionMs, record) : record))
    return { activationId, answered, completed }
  }

  /**
   * @param {Container} container
   * @param {Request & { activationId: string, receivedMs: number }} request
   * @returns {Promise<Activation | 'reschedule' | 'rerun'>} reschedule: nothing was run, run it in another container; rerun:
   *   run it in another container, although it was run already
   */
  async function activate(container, request) {
    const { action, activationId, parameters, fault, receivedMs } = request
    const { timeout } = action.limits
    const path = pathOf(action, settings.namespace)
    const cold = !container.initialised
    if (fault.dieLoading && !cold) return 'reschedule'
    const waitTime = Date.now() - receivedMs
    const environment = {
      namespace: settings.namespace,
      action_name: `/${path}`,
      action_version: action.version,
      activation_id: activationId,
      transaction_id: request.transactionId,
      ...(isTruthy(action.annotations, 'provide-api-key') ? { api_key: settings.auth } : {}),
    }
    const facts = { activationId, action: path, pid: container.pid, cold }
    notify('start', facts)

    const start = Date.now()
    let timedOut = false
    /** @type {ActivationResponse | undefined} */
    let response = fault.unready && errorResponse(2, messages.notReady)
    if (cold && !response) {
      const deadline = String(start + timeout)
      const body = initBody(action, { ...environment, api_host: apihost(), deadline })
      const posted = container.post('/init', body, { timeoutMs: timeout, maxBytes: MIB })
      if (fault.dieLoading) container.kill()
      const answer = await posted
      const outOfMemory = await diedOfMemory(container, answer.kind)
      // If a container is gone before it has loaded its action, upstream retries until the time limit:
      // ApacheBlockingContainerClient.scala, observed with Docker's containers.
      if (answer.kind === 'gone' && !outOfMemory) {
        await delay(Math.max(0, start + timeout - Date.now()), undefined, { ref: false })
      }
      timedOut = answer.kind !== 'answer' && !outOfMemory
      response = initOutcome(answer, { timeoutMs: timeout, outOfMemory })
      container.initialised = response === undefined
    }
    const initTime = Date.now() - start
    if (!response) {
      const deadline = String(Date.now() + timeout)
      const maxBytes = settings.limits.payloadBytes
      const body = { value: parameters, ...environment, deadline }
      const onSent = () => notify('run', facts)
      const answer = await runWithFault(container, body, { timeoutMs: timeout, maxBytes, onSent }, fault)
      if (fault.rerun && answer.kind === 'gone') return 'rerun'
      // nothing was run, so another container may run it; a container that answers 503 is shutting down
      if (answer.kind === 'gone' && answer.refused) return 'reschedule'
      if (answer.kind === 'answer' && answer.status === 503) return 'reschedule'
      timedOut = answer.kind === 'timeout'
      const outOfMemory = await diedOfMemory(container, answer.kind)
      response = runOutcome(answer, { timeoutMs: timeout, maxBytes, outOfMemory })
    }
    return describe(request, {
      activationId,
      start,
      end: Date.now(),
      response,
      timeout: timedOut,
      timings: [{ key: 'waitTime', value: waitTime }, ...(cold ? [{ key: 'initTime', value: initTime }] : [])],
    })
  }

  /**
   * After a lost connection, waits some time for the container's process to exit, so that the reason is known.
   *
   * @param {Container} container
   * @param {'answer' | 'timeout' | 'gone'} kind
   */
  async function diedOfMemory(container, kind) {
    if (kind !== 'gone') return false
    const timer = setTimeout(() => container.kill(), EXIT_WAIT_MS)
    const { outOfMemory } = await container.exited
    clearTimeout(timer)
    return outOfMemory
  }

  /**
   * @param {Request} request
   * @param {{ activationId: string, start: number, end: number, response: ActivationResponse, timeout: boolean, timings: KeyValue[] }} run
   * @returns {Activation}
   */
  function describe({ action }, { activationId, start, end, response, timeout, timings }) {
    const path = pathOf(action, settings.namespace)
    const annotations = [
      { key: 'limits', value: action.limits },
      { key: 'path', value: path },
      { key: 'kind', value: action.exec.kind },
      { key: 'timeout', value: timeout },
      ...timings,
    ]
    const { name, version } = action
    return { activationId, path, name, version, annotations, start, end, duration: end - start, response }
  }

  return { invoke }
}

/** @param {Action} action @param {Record<string, string>} environment */
function initBody({ name, exec }, environment) {
  const env = Object.fromEntries(
    Object.entries(environment).map(([key, value]) => [`__OW_${key.toUpperCase()}`, value]),
  )
  return { value: { name, main: exec.main ?? 'main', code: exec.code, binary: exec.binary, env } }
}

module.exports = { createInvoker, isTruthy }
