'use strict'

/** The engine `openwhisk`: invokes the deployed action. */

const { systemClock } = require('../../async')
const { throwIfAborted } = require('../../errors')
const { sampleOf, skewOf } = require('../../http')
const { toParameters, toOutcomes, misfitOf, positive } = require('../common')
const { createActivations } = require('./activations')
const { activationIdOf, isFailure, openClient } = require('./client')
const { failure, fromActivation } = require('./errors')
const { ACTION, providerOf } = require('./settings')

/** @typedef {import('../../types').Engine} Engine */
/** @typedef {import('../../types').Clock} Clock */

const SILENCE_MS = 30_000
/** A blocking call is answered after 60 s at the latest; the platform's own limit for a request is 65 s. */
const ANSWER_LIMIT_MS = 75_000
/** How long an activation may be queued, start and be recorded, in addition to its timeout. */
const ACTIVATION_GRACE_MS = 120_000
const MiB = 1024 ** 2
/** The rate of a usual function: a call with more bytes than it moves while the platform waits may be answered with 202. */
const BYTES_PER_SECOND = 20e6
/** A copy inside a function leaves so many to that: the function itself is one, and has to call itself. */
const OWN_CALLS = 4
/** With these a dry run goes on: xfer deploy mends both. */
const NOT_READY = new Set(['ACTION_NOT_DEPLOYED', 'ACTION_VERSION'])

/**
 * @param {import('./settings').PlatformSettings} platform
 * @param {object} [options]
 * @param {string} [options.action] with its package
 * @param {number} [options.silenceMs] how long the platform may take to answer requests other than invocations, and
 *   how long a function's connection may be silent
 * @param {number} [options.answerLimitMs] how long an invocation may be without any answer
 * @param {number} [options.concurrency] how many idle connections to keep
 * @param {Clock} [options.clock] for waiting for activation records
 * @returns {Engine}
 */
function createOpenWhiskEngine(platform, options = {}) {
  const { action = ACTION, silenceMs, answerLimitMs = ANSWER_LIMIT_MS, concurrency, clock } = options
  const { now } = clock ?? systemClock
  const controlLimitMs = silenceMs ?? SILENCE_MS
  const client = openClient(platform, { action, silenceMs: controlLimitMs, connections: concurrency })
  const { facts, ask } = client
  let timeoutMs = USUAL.timeoutMs
  let skewMs = 0
  /** Whether the result of a call had to be read from its record. */
  let outlasted = false
  const maySpend = createBudget(now)

  /** @param {import('../../types').Task[]} tasks @param {number} [bytesPerSecond] */
  function mayOutlast(tasks, bytesPerSecond = BYTES_PER_SECOND) {
    const bytes = tasks.reduce((sum, task) => sum + task.bytes, 0)
    return outlasted || (bytes / Math.min(bytesPerSecond, BYTES_PER_SECOND)) * 1000 > USUAL.answerMs
  }

  const activations = createActivations(
    {
      get: (id, signal) =>
        ask({ path: `namespaces/_/activations/${id}` }, { signal }).catch(error => {
          if (error.facts?.status === 404) return undefined
          throw error
        }),
      list({ since, ...query }, signal) {
        const asked = { name: action, docs: true, since: Math.floor(since + skewMs), ...query }
        return ask({ path: 'namespaces/_/activations', query: asked }, { signal })
      },
    },
    { facts, clock },
  )

  const path = `namespaces/_/actions/${action}`
  const getAction = { path, query: { code: false } }

  /** @param {AbortSignal | undefined} signal @returns {Promise<any>} the action */
  async function askAction(signal) {
    const deployed = await ask(getAction, { signal })
    if (typeof deployed?.name !== 'string') {
      throw failure('NOT_A_PLATFORM', { ...facts, reason: 'it answers with something else than an action' })
    }
    checkVersion(deployed, facts)
    return deployed
  }

  return {
    name: 'openwhisk',
    where: platform.apihost,
    reach: platform.reach,
    provider: providerOf(platform.apihost),
    runsOn: 'platform',
    // The platform runs an activation again if its container has died.
    can: { cancel: false, pace: false, progress: false, once: false },
    partBytes: { usual: 96 * MiB, least: 16 * MiB },

    /** Reads the deployed action and the platform's limits. A missing or old action and a wrong key are found here. */
    async limits({ signal, dryRun = false } = {}) {
      /** @type {import('../../types').XferError | undefined} */
      let notReady
      const deployed = await askAction(signal).catch(error => {
        if (!dryRun || !NOT_READY.has(error.code)) throw error
        notReady = error
      })
      // No copy needs them, and hosted platforms do not tell them: then refusals show them.
      const namespace = await ask({ path: 'namespaces/_/limits' }, { signal }).catch(() => throwIfAborted(signal))
      skewMs = aheadOf(client.lastHead())
      const spared = platform.inside ? OWN_CALLS : 0
      const limits = readLimits({ deployed: deployed ?? AS_DEPLOYED, namespace }, skewMs, spared)
      if (notReady) return { ...limits, notReady }
      timeoutMs = limits.timeoutMs
      return limits
    },

    async ping({ signal } = {}) {
      await ask(getAction, { signal })
    },

    async run(tasks, { signal, parallel, bytesPerSecond, onQueued, onWaiting } = {}) {
      const sinceMs = now()
      const params = toParameters(tasks, { parallel, stallMs: silenceMs, bytesPerSecond })
      const headers = mayOutlast(tasks, bytesPerSecond) && maySpend() ? KEEP_RECORD : undefined
      const request = { method: 'POST', path, query: { blocking: true }, body: params, headers }
      const answer = await client.call(request, { signal, limitMs: answerLimitMs })
      const body = typeof answer.body === 'object' ? answer.body : undefined
      const activationId = body?.activationId ?? activationIdOf(answer.head)
      const known = { ...facts, activationId }
      // Status 202, or an incomplete answer: the result is in the activation's record.
      const noResult = body?.response === undefined && typeof body?.error !== 'string'
      if (noResult && typeof activationId === 'string') {
        outlasted = true
        onWaiting?.()
        const forMs = timeoutMs + ACTIVATION_GRACE_MS
        const record = await activations.wait(activationId, { sinceMs, forMs, signal })
        tellQueued(record, onQueued)
        return toOutcomes(fromActivation(record, known), tasks, known)
      }
      if (isFailure(answer)) throw client.explain(answer, { invoking: true })
      tellQueued(body, onQueued)
      return toOutcomes(fromActivation(body, known), tasks, known)
    },

    async close() {
      activations.close()
      client.close()
    },
  }
}

/**
 * Makes the platform keep the record of a call that succeeds, where it usually keeps those of failures only, as Adobe's does.
 * https://developer.adobe.com/runtime/docs/guides/using/logging_monitoring
 */
const KEEP_RECORD = { 'x-ow-extra-logging': 'on' }
/** Adobe's limit. https://adobedocs.github.io/adobeio-runtime/guides/system_settings.html */
const KEPT_PER_MINUTE = 30

/** @param {() => number} now @returns {() => boolean} whether another call may carry the header; that counts as one that does */
function createBudget(now) {
  /** @type {number[]} */
  const spentMs = []
  return () => {
    if (spentMs.length >= KEPT_PER_MINUTE && now() - spentMs[0] < 60_000) return false
    spentMs.push(now())
    if (spentMs.length > KEPT_PER_MINUTE) spentMs.shift()
    return true
  }
}

/**
 * Tells how long an activation waited for a container, where its record says it (`waitTime`; hosted platforms may leave it out).
 * Of a new container (`initTime`) that includes the time until it was there.
 * https://github.com/apache/openwhisk/blob/master/docs/annotations.md, "Annotations specific to activations"
 *
 * @param {any} record
 * @param {import('../../types').RunOptions['onQueued']} onQueued
 */
function tellQueued({ annotations, start, end } = {}, onQueued) {
  if (!onQueued || !Array.isArray(annotations)) return
  const noted = (/** @type {string} */ key) => annotations.find(each => each?.key === key)?.value
  const waitedMs = noted('waitTime')
  const ranMs = end - start
  if (!(waitedMs >= 0 && ranMs >= 0 && Number.isFinite(waitedMs + ranMs))) return
  onQueued({ startMs: start, waitedMs, ranMs, isNew: noted('initTime') !== undefined })
}

/**
 * The limits of the platform: those of the deployed action and of the namespace. What neither has is no limit.
 * https://github.com/apache/openwhisk/blob/master/docs/reference.md, "System limits"
 */

/** @typedef {import('../../types').EngineLimits} EngineLimits */

/** Upstream's defaults: timeout and memory of an action, size of parameters and results, duration of a blocking call. */
const USUAL = { timeoutMs: 60_000, memoryBytes: 256 * MiB, payloadBytes: MiB, answerMs: 60_000 }
/** The limits with which xfer deploys the action: those of manifest.yaml. */
const AS_DEPLOYED = { limits: { timeout: 300_000, memory: 256 } }
/** The overhead of a call to a warm function: client, platform and activation record take some tens of milliseconds. */
const INVOCATION_MS = 50

/** @type {Record<string, number>} */
const UNITS = { B: 1, KB: 1024, MB: MiB, GB: 1024 ** 3 }

/**
 * @param {object} documents the platform's answers; anything else if it did not answer
 * @param {any} documents.deployed the action
 * @param {any} [documents.namespace] `GET namespaces/_/limits`
 * @param {number} skewMs
 * @param {number} [spared] invocations that are not for the copy
 * @returns {EngineLimits}
 */
function readLimits({ deployed, namespace }, skewMs, spared = 0) {
  /** @param {number | undefined} most */
  const own = most => most && Math.max(1, most - spared)
  const memoryMB = positive(deployed?.limits?.memory)
  const none = Number.POSITIVE_INFINITY
  return {
    concurrent: own(positive(namespace?.concurrentInvocations)) ?? none,
    perMinute: own(positive(namespace?.invocationsPerMinute)) ?? none,
    timeoutMs: positive(deployed?.limits?.timeout) ?? USUAL.timeoutMs,
    answerMs: USUAL.answerMs,
    invocationMs: INVOCATION_MS,
    memoryBytes: memoryMB === undefined ? USUAL.memoryBytes : memoryMB * MiB,
    payloadBytes: bytesOf(namespace?.maxPayloadSize) ?? USUAL.payloadBytes,
    skewMs,
  }
}

/**
 * The manifest annotates the action with the interface's version.
 *
 * @param {any} deployed the action
 * @param {{ action: string, where: string }} facts
 * @throws {XferError} ACTION_VERSION
 */
function checkVersion(deployed, facts) {
  const annotations = Array.isArray(deployed.annotations) ? deployed.annotations : []
  const noted = annotations.find((/** @type {any} */ annotation) => annotation?.key === 'xfer-interface')?.value
  const misfit = misfitOf(noted, facts)
  if (misfit) throw misfit
}

/** Upstream's ByteSize, such as `1048576 B` or `1 MB`. @param {unknown} text */
function bytesOf(text) {
  const [, count, unit] = /^(\d+) ?([KMG]?B)$/i.exec(typeof text === 'string' ? text.trim() : '') ?? []
  return count === undefined ? undefined : positive(Number(count) * UNITS[unit.toUpperCase()])
}

/** A smaller skew may come from the whole seconds of `Date`. */
const NONE_MS = 1_000

/**
 * How far the platform's clock is ahead of ours, by the `Date` of an answer.
 *
 * @param {import('./client').AnswerHead | undefined} head
 * @returns {number} milliseconds; 0 if it has none, or if the skew is below a second
 */
function aheadOf(head) {
  const [sample] = head ? sampleOf('', head) : []
  const skewMs = sample ? -Math.round(skewOf(sample)) : 0
  return Math.abs(skewMs) > NONE_MS ? skewMs : 0
}

module.exports = { AS_DEPLOYED, aheadOf, checkVersion, createOpenWhiskEngine, readLimits }
