'use strict'

/** What engines have in common: the action's interface, limits, refusals of platforms, and checks. What deploys requires archive/. */

const { repeat } = require('../../async')
const { isSum } = require('../../../actions/copy-range/sums')
const { VERSION } = require('../../../actions/copy-range/failure')
const { EXIT, XferError, withoutSecrets } = require('../../errors')
const { explainConnection } = require('../../http')

/** @typedef {import('../../types').Task} Task */
/** @typedef {import('../../types').Outcome} Outcome */

/**
 * @param {Task[]} tasks
 * @param {{ parallel?: number, stallMs?: number, bytesPerSecond?: number }} [how] parallel: number of
 *   concurrent tasks; stallMs: how long a connection may be silent, default: the action's limit; bytesPerSecond: limit of the
 *   invocation
 * @returns {import('../../types').ActionParameters} each rule of the requests is in them once, under a name: a rule is
 *   longer than a request, and many requests share one
 */
function toParameters(tasks, { parallel = 1, stallMs, bytesPerSecond } = {}) {
  /** @type {Map<import('../../types').AnswerRule, string>} */
  const names = new Map()
  /** @type {import('../../types').ActionTask[]} */
  const given = []
  for (const { tag, ...task } of tasks) {
    const sent = /** @type {import('../../types').ActionTask} */ ({ ...task, read: named(task.read, names) })
    if (task.write) sent.write = named(task.write, names)
    given.push(sent)
  }
  /** @type {Record<string, import('../../types').AnswerRule>} */
  const accepts = {}
  for (const [rule, name] of names) accepts[name] = rule
  return {
    version: VERSION,
    tasks: given,
    accepts,
    parallel,
    ...(stallMs !== undefined && { stallMs }),
    ...(bytesPerSecond !== undefined && { bytesPerSecond }),
  }
}

/**
 * The request with the name of its rule.
 *
 * @param {import('../../types').DataRequest} request
 * @param {Map<import('../../types').AnswerRule, string>} names of the rules so far
 * @returns {import('../../types').ActionRequest}
 */
function named({ accepts, ...request }, names) {
  const name = names.get(accepts) ?? `rule-${names.size + 1}`
  names.set(accepts, name)
  return { ...request, accepts: name }
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
  const given = result.outcomes
  const noAnswer = 'its outcomes do not answer the tasks'
  if (!Array.isArray(given) || given.length !== tasks.length) throw misfit(noAnswer)
  /** @type {Outcome[]} */
  const outcomes = []
  for (const [i, outcome] of given.entries()) {
    if (!isOutcome(outcome, tasks[i])) throw misfit(noAnswer)
    const { tag } = tasks[i]
    // What was written is known by the task's tag, if the store's answer has no ETag.
    outcomes.push('error' in outcome || tag === undefined ? outcome : { ...outcome, etag: tag })
  }
  return outcomes
}

/** @param {any} outcome @param {Task} task */
function isOutcome(outcome, task) {
  if (outcome?.partNumber !== task.partNumber) return false
  const { error, bytes, etag, sums } = outcome
  if (error !== undefined) return typeof error?.code === 'string' && typeof error.message === 'string' && error.message
  if (bytes !== task.bytes || typeof etag !== 'string') return false
  for (const sum of task.sums) if (!isSum(sum, sums?.[sum])) return false
  return true
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

/** What platforms have in common when they refuse, or do not answer. */

/** By the kind of connection failure. */
const BY_KIND = {
  socket: 'PLATFORM_UNREACHABLE',
  certificate: 'CERTIFICATE_REFUSED',
  protocol: 'NOT_A_PLATFORM',
  shortage: 'TOO_MANY_FILES',
}

/** Statuses that a gateway may answer with a body of its own, and that mean the same then. */
const OF_GATEWAYS = [408, 413, 429]

/**
 * The failure of a connection. What was not sent has not run.
 *
 * @param {any} error with Node's `code`; `sent` as of lib/http/send.js
 * @returns {{ code: string, reason: string, words?: string, uncertain?: false }} code: of the table
 */
function lostFacts(error) {
  const { kind = 'socket', ...why } = explainConnection(error?.code) ?? { reason: clauseOf(error?.message) }
  return { code: BY_KIND[kind], ...why, ...(error?.sent === false && { uncertain: false }) }
}

/** @param {Buffer | string | undefined} bytes of an answer @returns {any} undefined if it is not JSON */
function readJson(bytes) {
  try {
    return JSON.parse(String(bytes))
  } catch {
    return undefined
  }
}

/**
 * RFC 9110 section 10.2.3: seconds, or a date by the peer's clock, as its `Date`.
 *
 * @param {Record<string, any>} headers
 * @returns {number | undefined} milliseconds
 */
function retryAfterMs({ 'retry-after': text, date }) {
  if (!text) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const waitMs = Date.parse(text) - Date.parse(date)
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

/**
 * A text of a platform as the end of a sentence. Takes only the first sentence or line, because stack traces and the function's
 * answer follow it.
 *
 * @param {unknown} text
 */
function clauseOf(text) {
  const [first] = withoutSecrets(typeof text === 'string' ? text.trim() : '')
    // A line that ends with a colon goes on in the next one.
    .replace(/: *[\r\n]+ */g, ': ')
    .split(/[\r\n]|[.!?] +(?=[A-Z])/)
  return first.slice(0, 200).trimEnd().replace(/[.:]$/, '') || 'no reason given'
}

/** @param {unknown} value */
const positive = value => (typeof value === 'number' && value > 0 ? value : undefined)

/** What the checks of platforms have in common. */

/** @typedef {import('../../types').Finding} Finding */
/** @typedef {import('../contract').Check} Check */

/**
 * The checks of an engine. Where none is configured, each but the first says so.
 *
 * @param {import('../contract').EngineFound} found
 * @param {number} limitMs of a check that has no other
 * @param {Array<Partial<Check> & Pick<Check, 'name' | 'run'>>} checks
 * @returns {import('../contract').EngineChecks}
 */
function engineChecks(found, limitMs, [first, ...others]) {
  const rest = others.map(check => ({
    ...check,
    run: async (/** @type {AbortSignal} */ signal) => (found.settings ? await check.run(signal) : found.none),
  }))
  return { checks: [first, ...rest].map(check => ({ limitMs, exit: EXIT.ENGINE, ...check })), found }
}

/**
 * Has the function do nothing, twice, and tells how long that took.
 *
 * @param {(params: object) => Promise<any>} invoke resolves to its result
 * @param {{ action: string, where: string }} facts for errors
 * @returns {Promise<Finding>}
 * @throws {import('../../types').XferError} also if its answer does not fit
 */
async function timeInvocations(invoke, facts) {
  const times = []
  for (const _ of ['first', 'second']) {
    const startedMs = performance.now()
    const result = await invoke(toParameters([]))
    const elapsedMs = Math.ceil(performance.now() - startedMs)
    toOutcomes(result, [], facts)
    times.push(`${elapsedMs} ms (${result.container?.invocation === 1 ? 'cold' : 'warm'})`)
  }
  return { ok: true, detail: `The function answered in ${times.join(' and ')}.` }
}

/**
 * Whether the runner reaches what its jobs need. That there is none is no fault.
 *
 * @param {() => import('../contract').OpenRunner} open
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} needs
 * @returns {Partial<Check> & Pick<Check, 'name' | 'run'>}
 */
function runnerCheck(open, env, needs) {
  return {
    name: 'runner',
    needs,
    limitMs: RUNNER_MS,
    async run() {
      const { action, deployed, ask } = open()
      if (!(await deployed())) {
        return {
          ok: true,
          detail: 'No runner is deployed: what --detach leaves waits for xfer work (xfer deploy --runner).',
        }
      }
      const { reach } = (await ask({ state: env.XFER_STATE ?? '', check: true })) ?? {}
      if (!Array.isArray(reach)) {
        return { ok: false, detail: `${action} answers with something else.`, hint: 'Run xfer deploy --runner.' }
      }
      const [first] = reach.filter(({ problem }) => problem !== undefined)
      const all = reach.map(({ what }) => what).join(', ')
      if (!first) return { ok: true, detail: `${action} reaches ${all}.` }
      const hint =
        'Give it the keys of the profiles in the locations of your jobs: xfer deploy --runner --runner-profile NAME.'
      return { ok: false, detail: `${action} does not reach ${first.what}: ${first.problem}`, hint }
    },
  }
}

/** Cold, it loads all of the program first. */
const RUNNER_MS = 80_000

/**
 * What the access rules of a deployment allow.
 *
 * @param {import('../../types').Access} access
 * @param {string} deployCommand
 * @param {string} [more] at the end of the sentence
 * @returns {Finding}
 */
function judgeAccess({ hosts = ['*'], metadata }, deployCommand, more = '') {
  const whom = hosts.includes('*') ? 'to any host' : `only to ${hosts.join(', ')}`
  const place = `${whom}, ${metadata ? 'also' : 'but not'} to link-local and metadata addresses`
  const detail = `The function may connect ${hosts.length === 0 ? 'to no host' : place}${more}.`
  if (!metadata) return { ok: true, detail }
  return { ok: true, detail, hint: `Run ${deployCommand} --no-allow-metadata, unless a store is at such an address.` }
}

/**
 * Brings what is deployed on a platform to what is wanted, or removes it. The answer to a write may be lost: each attempt
 * reads anew, and what an earlier one has begun counts as done by this deployment.
 */

const DEPLOY_RETRIES = 3

/**
 * @template F, W, S
 * @param {object} one
 * @param {() => Promise<F | undefined>} one.read what is deployed; undefined: nothing is
 * @param {(found: F | undefined) => W | Promise<W>} one.wanted what is to be deployed, of which some may be as it is deployed
 * @param {(wanted: W, found: F) => string[]} one.differences names of what is to be changed; empty: nothing is written
 * @param {(wanted: W, found: F | undefined, differences: string[]) => Promise<S>} one.write resolves to what is deployed then
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ wanted: W, stored: F | S, outcome: 'created' | 'updated' | 'unchanged', changes?: string[] }>} changes: of an update
 */
async function bring({ read, wanted: wantedOf, differences, write }, signal) {
  let created = false
  /** @type {Set<string>} */
  const changes = new Set()
  const outcomeOf = () =>
    created
      ? { outcome: /** @type {const} */ ('created') }
      : changes.size > 0
        ? { outcome: /** @type {const} */ ('updated'), changes: [...changes] }
        : { outcome: /** @type {const} */ ('unchanged') }
  return await repeat(
    async () => {
      const found = await read()
      const wanted = await wantedOf(found)
      const differ = found === undefined ? [] : differences(wanted, found)
      if (found !== undefined && differ.length === 0) return { wanted, stored: found, ...outcomeOf() }
      if (found === undefined) created = true
      for (const name of differ) changes.add(name)
      const stored = await write(wanted, found, differ)
      return { wanted, stored, ...outcomeOf() }
    },
    { retries: DEPLOY_RETRIES, signal },
  )
}

/**
 * @template F
 * @param {object} one
 * @param {() => Promise<F | undefined>} one.read
 * @param {(found: F) => boolean} [one.isKept] it is still needed
 * @param {(found: F) => Promise<unknown>} one.remove
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ outcome: 'removed' | 'kept' | 'missing', found?: F }>} found: what was removed, as it was read
 */
async function takeAway({ read, isKept = () => false, remove }, signal) {
  /** @type {F | undefined} */
  let removed
  return await repeat(
    async () => {
      const found = await read()
      if (found !== undefined && isKept(found)) return { outcome: 'kept' }
      if (found !== undefined) {
        removed = found
        // The platform may refuse it because it is needed by now: the retry reads it again.
        await remove(found)
      }
      return removed === undefined ? { outcome: 'missing' } : { outcome: 'removed', found: removed }
    },
    { retries: DEPLOY_RETRIES, signal },
  )
}

module.exports = {
  OF_GATEWAYS,
  UNLIMITED,
  bring,
  clauseOf,
  engineChecks,
  judgeAccess,
  runnerCheck,
  lostFacts,
  misfitOf,
  positive,
  readJson,
  retryAfterMs,
  takeAway,
  timeInvocations,
  toOutcomes,
  toParameters,
}
