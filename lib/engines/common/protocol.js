'use strict'

/** The action's interface, for engines: makes its parameters, and checks its results. */

const { VERSION } = require('../../../actions/copy-range/version')
const { isSum } = require('../../../actions/copy-range/sums')
const { XferError } = require('../../errors')

/** @typedef {import('../../types').Task} Task */
/** @typedef {import('../../types').Outcome} Outcome */

/**
 * @param {Task[]} tasks
 * @param {{ parallel?: number, stallMs?: number, bytesPerSecond?: number }} [how] parallel: number of
 *   concurrent tasks; stallMs: how long a connection may be silent, default: the action's limit; bytesPerSecond: limit of the
 *   invocation
 * @returns {import('../../types').ActionParameters} they contain each rule of the tasks' requests once, under a name
 */
function toParameters(tasks, { parallel = 1, stallMs, bytesPerSecond } = {}) {
  return {
    version: VERSION,
    ...withNamedRules(tasks.map(({ tag, ...task }) => task)),
    parallel,
    ...(stallMs !== undefined && { stallMs }),
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
  }
}

/**
 * Replaces the rules of requests by names. A rule is longer than a request, and many requests share one, so the parameters
 * contain each rule once.
 *
 * @param {Task[]} tasks
 * @returns {Pick<import('../../types').ActionParameters, 'tasks' | 'accepts'>}
 */
function withNamedRules(tasks) {
  /** @type {Map<import('../../types').AnswerRule, string>} */
  const names = new Map()
  /** @param {import('../../types').DataRequest} request @returns {import('../../types').ActionRequest} */
  const named = ({ accepts, ...request }) => {
    const name = names.get(accepts) ?? `rule-${names.size + 1}`
    names.set(accepts, name)
    return { ...request, accepts: name }
  }
  const given = tasks.map(task => ({
    ...task,
    read: named(task.read),
    ...(task.write && { write: named(task.write) }),
  }))
  const accepts = Object.fromEntries([...names].map(([rule, name]) => [name, rule]))
  return { tasks: /** @type {import('../../types').ActionTask[]} */ (given), accepts }
}

/**
 * @param {any} result of the action
 * @param {Task[]} tasks the action's tasks
 * @param {{ action: string, where: string }} facts where: for messages, where it ran
 * @returns {Outcome[]} one per task, in their order
 * @throws {XferError} ACTION_VERSION if the result does not fit this interface
 */
function toOutcomes(result, tasks, facts) {
  /** @param {string} reason */
  const misfit = reason => new XferError('ACTION_VERSION', { ...facts, reason })
  if (typeof result?.error === 'string') throw misfit(result.error.replace(/\.$/, ''))
  if (result?.version !== VERSION)
    throw misfit(`its interface version is ${result?.version ?? 'unknown'}, not ${VERSION}`)
  const { outcomes } = result
  const fits =
    Array.isArray(outcomes) &&
    outcomes.length === tasks.length &&
    outcomes.every((outcome, i) => outcome?.partNumber === tasks[i].partNumber && isOutcome(outcome, tasks[i]))
  if (!fits) throw misfit('its outcomes do not answer the tasks')
  return outcomes.map((outcome, i) => withTag(outcome, tasks[i]))
}

/** What was written is known by the task's tag, if the store's answer has no ETag. @param {Outcome} outcome @param {Task} task @returns {Outcome} */
function withTag(outcome, { tag }) {
  return 'error' in outcome || tag === undefined ? outcome : { ...outcome, etag: tag }
}

/** @param {any} outcome @param {Task} task */
function isOutcome(outcome, task) {
  const { error, bytes, etag, sums } = outcome
  if (error !== undefined) return typeof error?.code === 'string' && typeof error.message === 'string' && error.message
  const summed = task.sums.every(sum => isSum(sum, sums?.[sum]))
  return bytes === task.bytes && typeof etag === 'string' && summed
}

/**
 * The interface's version that a deployment notes. One that notes none shows it in its first answer.
 *
 * @param {unknown} noted
 * @param {{ action: string, where: string }} facts
 * @returns {import('../../types').XferError | undefined} the error if it is not ours
 */
function misfitOf(noted, facts) {
  if (noted === undefined || Number(noted) === VERSION) return undefined
  const version = /^[\w.-]{1,20}$/.test(String(noted)) ? noted : 'unknown'
  return new XferError('ACTION_VERSION', { ...facts, reason: `its interface version is ${version}, not ${VERSION}` })
}

/** Limits of an engine without a platform, except the concurrency. @type {Omit<import('../../types').EngineLimits, 'concurrent'>} */
const UNLIMITED = {
  perMinute: Number.POSITIVE_INFINITY,
  timeoutMs: Number.POSITIVE_INFINITY,
  answerMs: Number.POSITIVE_INFINITY,
  memoryBytes: Number.POSITIVE_INFINITY,
  payloadBytes: Number.POSITIVE_INFINITY,
  skewMs: 0,
}

module.exports = { misfitOf, toParameters, toOutcomes, UNLIMITED }
