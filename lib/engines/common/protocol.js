'use strict'

/** The action's interface, for engines: makes its parameters, and checks its results. */

const { VERSION } = require('../../../actions/copy-range/version')
const { XferError } = require('../../errors')

/** @typedef {import('../../types').Task} Task */
/** @typedef {import('../../types').Outcome} Outcome */

/**
 * @param {Task[]} tasks
 * @param {{ parallel?: number, stallMs?: number, bytesPerSecond?: number, transport?: 'socket' | 'http' }} [how] parallel: number
 *   of concurrent tasks; stallMs: how long a connection may be silent, default: the action's limit; bytesPerSecond: limit of
 *   the invocation; transport: of its requests, default: the action's
 * @returns {import('../../types').ActionParameters} they contain each rule of the tasks' requests once, under a name
 */
function toParameters(tasks, { parallel = 1, stallMs, bytesPerSecond, transport } = {}) {
  return {
    version: VERSION,
    ...withNamedRules(tasks.map(({ tag, ...task }) => task)),
    parallel,
    ...(stallMs !== undefined && { stallMs }),
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
    ...(transport !== undefined && { transport }),
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
  if (!tasks.some(hasRule)) return { tasks: /** @type {import('../../types').ActionTask[]} */ (tasks) }
  /** @type {Map<import('../../types').AnswerRule, string>} */
  const names = new Map()
  /** @param {import('../../types').DataRequest} request @returns {import('../../types').ActionRequest} */
  const named = ({ accepts, ...request }) => {
    if (!accepts) return request
    const name = names.get(accepts) ?? `rule-${names.size + 1}`
    names.set(accepts, name)
    return { ...request, accepts: name }
  }
  const given = tasks.map(task => ({
    ...task,
    read: named(task.read),
    ...(task.write && { write: named(task.write) }),
  }))
  const entries = [...names].map(([rule, name]) => /** @type {const} */ ([name, rule]))
  return { tasks: /** @type {import('../../types').ActionTask[]} */ (given), accepts: Object.fromEntries(entries) }
}

/** Whether an action that assumes the usual answers would misjudge this one's. @param {Task} task */
function hasRule({ read, write }) {
  return [read, write].some(request => request?.accepts !== undefined || request?.framing !== undefined)
}

/** Reasons for refusing an old action, by the feature that it lacks. @type {Record<string, string>} */
const LACKING = {
  headers: "it is too old to compare objects' headers",
  accepts: "it is too old to be told what a store's answers mean",
}

/**
 * @param {any} result of the action
 * @param {Task[]} tasks the action's tasks
 * @param {{ action: string, where: string, bytesPerSecond?: number, needs?: string[] }} facts where: for messages,
 *   where it ran; bytesPerSecond: the requested limit; needs: of RunOptions
 * @returns {Outcome[]} one per task, in their order
 * @throws {XferError} ACTION_VERSION if the result does not fit this interface
 */
function toOutcomes(result, tasks, { bytesPerSecond, needs = [], ...facts }) {
  /** @param {string} reason */
  const misfit = reason => new XferError('ACTION_VERSION', { ...facts, reason })
  if (typeof result?.error === 'string') throw misfit(result.error.replace(/\.$/, ''))
  if (result?.version !== VERSION)
    throw misfit(`its interface version is ${result?.version ?? 'unknown'}, not ${VERSION}`)
  // An older action ignores this parameter.
  if (bytesPerSecond !== result.bytesPerSecond) throw misfit('it is too old to heed --bandwidth')
  const wanted = [
    ...needs,
    ...(tasks.some(comparesHeaders) ? ['headers'] : []),
    ...(tasks.some(hasRule) ? ['accepts'] : []),
  ]
  const lacking = wanted.find(name => !result.knows?.includes?.(name))
  if (lacking !== undefined) throw misfit(LACKING[lacking] ?? `it is too old: it lacks ${lacking}`)
  const { outcomes } = result
  const fits =
    Array.isArray(outcomes) &&
    outcomes.length === tasks.length &&
    outcomes.every((outcome, i) => outcome?.partNumber === tasks[i].partNumber && isOutcome(outcome, tasks[i]))
  if (!fits) throw misfit('its outcomes do not answer the tasks')
  // An older action refuses tasks that only read.
  const refused = outcomes.some(({ error }, i) => error?.code === 'BAD_TASK' && tasks[i].read && !tasks[i].write)
  if (refused) throw misfit('it is too old to read without writing')
  return outcomes.map((outcome, i) => withTag(outcome, tasks[i]))
}

/** What was written is known by the task's tag, if the store's answer has no ETag. @param {Outcome} outcome @param {Task} task @returns {Outcome} */
function withTag(outcome, { tag }) {
  return 'error' in outcome || tag === undefined ? outcome : { ...outcome, etag: tag }
}

/** Whether the task compares headers, which an older action would write without a check. @param {Task} task */
function comparesHeaders({ expect, tell }) {
  return tell === true || expect?.headers !== undefined
}

/** @param {any} outcome @param {Task} task */
function isOutcome(outcome, task) {
  const { error, bytes, etag, crc32 } = outcome
  if (error !== undefined) return typeof error?.code === 'string' && typeof error.message === 'string' && error.message
  const summed = crc32 === undefined ? task.crc32 === false : Number.isInteger(crc32) && crc32 >= 0 && crc32 < 2 ** 32
  return bytes === task.bytes && typeof etag === 'string' && summed
}

module.exports = { toParameters, toOutcomes }
