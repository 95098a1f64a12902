'use strict'

/** The action's interface as the engines speak it: parameters out, a result in that is believed only once checked. */

const { VERSION } = require('../../../actions/copy-range/version')
const { XferError } = require('../../errors')

/** @typedef {import('../../types').Task} Task */
/** @typedef {import('../../types').Outcome} Outcome */

/**
 * @param {Task[]} tasks
 * @param {{ parallel?: number, stallMs?: number, bytesPerSecond?: number, transport?: 'socket' | 'http' }} [how] parallel: tasks
 *   at once; stallMs: how long a connection may move no byte, the action's own limit when absent; bytesPerSecond: of the
 *   invocation, at most; transport: of its requests, the action's usual one when absent
 * @returns {import('../../types').ActionParameters} each rule of the tasks' requests once, under a name
 */
function toParameters(tasks, { parallel = 1, stallMs, bytesPerSecond, transport } = {}) {
  return {
    version: VERSION,
    ...withNamedRules(tasks),
    parallel,
    ...(stallMs !== undefined && { stallMs }),
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
    ...(transport !== undefined && { transport }),
  }
}

/**
 * A rule is longer than a request, and many requests have the same: so the parameters say it once.
 *
 * @param {Task[]} tasks
 * @returns {Pick<import('../../types').ActionParameters, 'tasks' | 'accepts'>}
 */
function withNamedRules(tasks) {
  if (!tasks.some(bringsRule)) return { tasks: /** @type {import('../../types').ActionTask[]} */ (tasks) }
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
function bringsRule({ read, write }) {
  return [read, write].some(request => request?.accepts !== undefined || request?.framing !== undefined)
}

/** What an action is too old to do that lacks a feature. @type {Record<string, string>} */
const LACKING = {
  headers: "it is too old to compare objects' headers",
  accepts: "it is too old to be told what a store's answers mean",
}

/**
 * @param {any} result the action's
 * @param {Task[]} tasks that it was given
 * @param {{ action: string, where: string, bytesPerSecond?: number, needs?: string[] }} facts where: it ran, for people; bytesPerSecond: that it was
 *   asked to hold; needs: of RunOptions
 * @returns {Outcome[]} one a task, in their order
 * @throws {XferError} ACTION_VERSION where the result is none of this interface
 */
function toOutcomes(result, tasks, { bytesPerSecond, needs = [], ...facts }) {
  /** @param {string} reason */
  const misfit = reason => new XferError('ACTION_VERSION', { ...facts, reason })
  if (typeof result?.error === 'string') throw misfit(result.error.replace(/\.$/, ''))
  if (result?.version !== VERSION)
    throw misfit(`its interface version is ${result?.version ?? 'unknown'}, not ${VERSION}`)
  // One from before there was such a parameter takes no notice of it.
  if (bytesPerSecond !== result.bytesPerSecond) throw misfit('it is too old to heed --bandwidth')
  const wanted = [
    ...needs,
    ...(tasks.some(comparesHeaders) ? ['headers'] : []),
    ...(tasks.some(bringsRule) ? ['accepts'] : []),
  ]
  const lacking = wanted.find(name => !result.knows?.includes?.(name))
  if (lacking !== undefined) throw misfit(LACKING[lacking] ?? `it is too old: it lacks ${lacking}`)
  const { outcomes } = result
  const fits =
    Array.isArray(outcomes) &&
    outcomes.length === tasks.length &&
    outcomes.every((outcome, i) => outcome?.partNumber === tasks[i].partNumber && isOutcome(outcome, tasks[i]))
  if (!fits) throw misfit('its outcomes do not answer the tasks')
  // One from before there were such tasks takes them for mistakes.
  const refused = outcomes.some(({ error }, i) => error?.code === 'BAD_TASK' && tasks[i].read && !tasks[i].write)
  if (refused) throw misfit('it is too old to read without writing')
  return outcomes
}

/** Whether an action from before there was such a thing would write it unseen. @param {Task} task */
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
