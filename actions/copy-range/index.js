'use strict'

const { randomUUID } = require('node:crypto')
const { ANY_HOST, accessRules, accessError } = require('./address-guard')
const { isObject, rulesError } = require('./answers')
const { createPace, makeDeadline, outcomeOf } = require('./attempt')
const { copyOnce } = require('./copy')
const { createHandler, deadlineOf } = require('./dialects')
const { Failure, VERSION } = require('./failure')
const { REFUSED } = require('./net')
const { Misfit, SocketCall, closeConnections, keep, routeTo, splitUrl } = require('./transport')

/** @typedef {import('./net').Reach} Reach */
/** @typedef {Array<Reach['proxies']>} Proxies of each task, in place of the environment's; absent: none */
/** @typedef {import('../../lib/types').ActionParameters} ActionParameters */
/** @typedef {import('../../lib/types').ActionResult} ActionResult */
/** @typedef {import('../../lib/types').Outcome} Outcome */
/** @typedef {InstanceType<typeof import('./attempt').Attempt>} Attempt */
/** @typedef {import('./copy').OnBytes} OnBytes */
/** @typedef {import('./attempt').Pace} Pace */
/**
 * The second interface: addresses to try, in place of tasks, and the results.
 * @typedef {{ version: number, probe: { url: string }[], access?: import('../../lib/types').Access }} ProbeParameters
 * @typedef {{
 *   version: number, probes: (Reached | Unreached)[], container: ActionResult['container']
 * }} ProbeResult
 */

const STALL_MS = 30_000

/** Identifies this container, so that callers can tell a warm one from a cold one. */
const container = { id: randomUUID(), invocation: 0, startedAtMs: Date.now() }

/**
 * The action: carries out tasks, each a signed read of a byte range whose bytes go into a signed write; or, if
 * it is asked to, says what it can reach. It never throws and never rejects: each task has an outcome, in the order of the tasks.
 * @param {unknown} params `ActionParameters` or `ProbeParameters`
 * @param {{ signal?: AbortSignal, onBytes?: OnBytes, ca?: string, pace?: Pace, proxies?: Proxies, deadlineMs?: number,
 *   local?: import('./transport').LocalTransports }} [options] for callers in this process and for
 *   `handler`; ca: certificates to trust beside the usual ones, PEM; pace: bytes a second, shared with others; proxies: of each task;
 *   deadlineMs: end of the invocation, milliseconds since the epoch, default: what the environment tells;
 *   local: transports for URLs of this machine, without which they are refused
 * @returns {Promise<ActionResult | ProbeResult | { error: string }>} `error`, one sentence, only for parameters that cannot be understood
 */
async function main(params, options = {}) {
  container.invocation += 1
  const here = { ...container }
  const error = parametersError(params)
  if (error) return { error }
  const { probe: probes, access } = /** @type {Partial<ProbeParameters & ActionParameters>} */ (params)
  const reach = { access: access ? accessRules(access) : ANY_HOST, ca: options.ca }
  if (probes) {
    return { version: VERSION, probes: await Promise.all(probes.map(one => probe(one, reach))), container: here }
  }
  const outcomes = await runTasks(/** @type {ActionParameters} */ (params), reach, options)
  return { version: VERSION, outcomes, container: here }
}

/** @type {Array<[name: string, fits: (value: unknown) => boolean, words: string]>} */
const NUMBERS = [
  ['parallel', Number.isSafeInteger, 'whole number'],
  ['stallMs', Number.isFinite, 'number'],
  ['bytesPerSecond', Number.isSafeInteger, 'whole number'],
]

/**
 * @param {unknown} params
 * @returns {string | undefined} why they cannot be understood
 */
function parametersError(params) {
  if (!isObject(params)) return 'The parameters are no object.'
  const given = /** @type {Record<string, unknown>} */ (params)
  const { version, tasks, access, accepts, probe: probes } = given
  if (version !== VERSION) {
    const asked = typeof version === 'number' ? `version ${version}` : 'none that is a number'
    return `This action has interface version ${VERSION}, and was asked for ${asked}.`
  }
  const wrongAccess = access === undefined ? undefined : accessError(access)
  if (wrongAccess) return wrongAccess
  if (probes !== undefined) {
    const fits = Array.isArray(probes) && probes.length <= MOST_PROBES && probes.every(isObject)
    return fits ? undefined : `The parameter probe is no array of at most ${MOST_PROBES} objects.`
  }
  if (!Array.isArray(tasks)) return 'The parameter tasks is no array.'
  for (const [name, fits, words] of NUMBERS) {
    const value = given[name]
    const isRight = value === undefined || (fits(value) && Number(value) > 0)
    if (!isRight) return `The parameter ${name} is no ${words} above zero.`
  }
  return rulesError(accepts)
}

/**
 * @param {Pick<ActionParameters, 'parallel' | 'stallMs' | 'bytesPerSecond'> & { tasks: unknown[], accepts?: ActionParameters['accepts'] }} params
 * @param {Reach} reach
 * @param {NonNullable<Parameters<typeof main>[1]>} options
 * @returns {Promise<Outcome[]>}
 */
async function runTasks(params, reach, { signal, proxies, deadlineMs = deadlineOf(process.env), ...options }) {
  const { tasks, parallel = 1, stallMs = STALL_MS, bytesPerSecond, accepts: rules } = params
  const { onBytes, local } = options
  const pace = bytesPerSecond ? createPace({ bytesPerSecond, nowNs: process.hrtime.bigint }) : options.pace
  const deadline = makeDeadline(deadlineMs, Date.now)
  const attempts = createAttempts(deadline, signal)
  const how = { stallMs, rules, onBytes, pace, local, running: attempts.running }
  /** @type {Outcome[]} */
  const outcomes = new Array(tasks.length)
  let next = 0

  /** @param {number} index @param {() => void} onSent also called if it fails before */
  const runTask = async (index, onSent) => {
    const refuse = signal?.aborted ? 'CANCELLED' : deadline.leavesTime() ? undefined : 'NOT_STARTED'
    const its = proxies ? reachThrough(reach, proxies[index]) : reach
    const outcome = await outcomeOf(tasks[index], { ...how, reach: its, onSent, refuse }, copyOnce)
    if ('timing' in outcome) deadline.took(outcome.timing.totalMs)
    outcomes[index] = outcome
    onSent()
  }
  // The next task is read while the write of the previous one waits for its answer.
  const worker = async () => {
    let acknowledged = Promise.resolve()
    while (next < tasks.length) {
      const before = acknowledged
      await new Promise((/** @type {(value: void) => void} */ onSent) => {
        acknowledged = runTask(next++, onSent)
      })
      await before
    }
    await acknowledged
  }

  try {
    await Promise.all(Array.from({ length: Math.min(parallel, tasks.length) }, worker))
  } finally {
    attempts.close()
  }
  return outcomes
}

/** By proxies, access rules and certificates; kept, so that the next invocation finds its routes. @type {Map<string, Reach>} */
const reaches = new Map()

/**
 * Tasks with the same proxies share one object: routes are kept by it.
 * @param {Reach} reach without them
 * @param {Reach['proxies']} [proxies] of the task
 */
function reachThrough(reach, proxies = {}) {
  const key = `${JSON.stringify(proxies)} ${reach.access.key} ${reach.ca ?? ''}`
  return reaches.get(key) ?? keep(reaches, key, { ...reach, proxies })
}

/**
 * The attempts in progress. All of them end when the caller cancels, or when the time is up.
 * @param {ReturnType<typeof makeDeadline>} deadline
 * @param {AbortSignal | undefined} signal
 */
function createAttempts(deadline, signal) {
  /** @type {Set<Attempt>} */
  const running = new Set()
  /** @param {InstanceType<typeof Failure>} failure */
  const failAll = failure => {
    for (const attempt of running) attempt.fail(failure)
  }
  const cancel = () => failAll(new Failure('CANCELLED'))
  signal?.addEventListener('abort', cancel, { once: true })

  const detail = "the invocation's time was up before the task was done"
  const cutMs = deadline.untilCut()
  // A timer of Node.js holds 31 bits: a deadline further away needs none.
  const timer =
    cutMs < 0x7fffffff ? setTimeout(() => failAll(new Failure('STALLED', { detail })), Math.max(0, cutMs)) : undefined
  return {
    running,
    close() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    },
  }
}

/** Its second interface: what can be reached from here. */

/**
 * Whether an address can be reached: any answer at all means that it can. `code` is one of Node.js, or `BAD_URL`, `PROXY`,
 * `ADDRESS_REFUSED` with its reason.
 * @typedef {{ reachable: true, status: number, dateMs?: number, elapsedMs: number }} Reached
 * @typedef {{ reachable: false, error: { code: string, message: string, reason?: string } }} Unreached
 */

const MOST_PROBES = 10

/** For all of a probe: name, TCP, proxy, TLS and the head of the answer. */
const PROBE_MS = 10_000

/**
 * Sends a HEAD to an address, without credentials, from where this function runs. It never rejects.
 * @param {{ url?: unknown }} target
 * @param {import('./net').Reach} reach
 * @param {number} [limitMs]
 * @returns {Promise<Reached | Unreached>}
 */
async function probe({ url }, reach, limitMs = PROBE_MS) {
  const startedMs = Date.now()
  try {
    const { status, headers } = await headOf(splitUrl(url), reach, limitMs)
    const dateMs = Date.parse(String(headers.date))
    return {
      reachable: true,
      status,
      ...(!Number.isNaN(dateMs) && { dateMs }),
      elapsedMs: Date.now() - startedMs,
    }
  } catch (error) {
    const { code = 'UNKNOWN', message } = /** @type {{ code?: string, message: string }} */ (error)
    const { detail, reason = message } = error instanceof Failure ? error.facts : {}
    if (code === REFUSED) return unreached(code, `It may not be connected to, for ${reason}`, reason)
    if (code === 'BAD_TASK') return unreached('BAD_URL', 'The URL is not one of http or https')
    if (error instanceof Failure) return unreached('PROXY', `It cannot be reached: ${detail}`)
    return unreached(
      code,
      code === 'ETIMEDOUT' ? `It did not answer within ${limitMs / 1000} s` : `It cannot be reached (${code})`,
    )
  }
}

/**
 * @param {string} code
 * @param {string} words
 * @param {string} [reason]
 * @returns {Unreached}
 */
function unreached(code, words, reason) {
  return { reachable: false, error: { code, message: `${words}.`, ...(reason !== undefined && { reason }) } }
}

/**
 * @param {ReturnType<typeof splitUrl>} target
 * @param {import('./net').Reach} reach
 * @param {number} limitMs
 * @returns {Promise<import('./transport').Answer>} of which only the head was read
 * @throws {Failure} if the environment's proxy is no URL, or the address is refused; else Node's error, `ETIMEDOUT` if the time was up
 */
async function headOf(target, reach, limitMs) {
  // A new connection: an idle one proves nothing, and may be dead.
  const how = { route: routeTo(target, 'read', reach), fresh: true }
  const request = { method: 'HEAD', path: target.path, headers: {} }
  /** @type {import('./transport').Call | undefined} */
  let call
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  try {
    return await new Promise((resolve, reject) => {
      const failed = (/** @type {string} */ code) => reject(Object.assign(new Error(), { code }))
      timer = setTimeout(failed, limitMs, 'ETIMEDOUT')
      // Node's own parser begins its codes so, and readers of the answer know that.
      const lost = (/** @type {Error | undefined} */ error) =>
        error instanceof Misfit ? failed(`HPE_${error.code}`) : error ? reject(error) : failed('ECONNRESET')
      call = new SocketCall(request, how, { open: () => call?.end(), answer: resolve, drain() {}, lost })
    })
  } finally {
    clearTimeout(timer)
    call?.destroy()
  }
}

/** The action, for the platform that calls a handler. */
const handler = createHandler(main, process.env, Date.now)

module.exports = { VERSION, closeConnections, handler, main, probe }
