'use strict'

/** The engine `http`: workers (serve/) run the action. */

const { systemClock, untilAborted } = require('../../async')
const { throwIfAborted } = require('../../errors')
const { UNLIMITED, engineChecks, toOutcomes, toParameters } = require('../common')
const { createBalance } = require('./balance')
const { failure, actionOf, openWorkers, readSettings } = require('./workers')

/** @typedef {import('../../types').Engine} Engine */
/** @typedef {import('../../types').Task} Task */
/** @typedef {import('../../types').XferError} XferError */
/** @typedef {import('./balance').Member} Member */

const MiB = 1024 ** 2
/** The overhead of a call: one round trip, and JSON. */
const INVOCATION_MS = 20
/** How long others come first if a worker is full and does not say how long. */
const FULL_MS = 1_000
/** After these a worker is away. */
const AWAY = new Set(['WORKER_UNREACHABLE', 'WORKER_LOST'])

/**
 * @param {import('./workers').WorkersSettings} settings
 * @param {{ silenceMs?: number, concurrency?: number, ca?: string, now?: () => number }} [options] silenceMs: how
 *   long a connection of a worker may be silent; concurrency: how many idle connections to keep; ca: certificates to trust, PEM
 * @returns {Engine}
 */
function createHttpEngine(settings, { silenceMs, concurrency, ca, now = systemClock.now } = {}) {
  const { where, reach, workers: urls } = settings
  const workers = openWorkers(settings, { connections: concurrency, ca })
  const balance = createBalance(urls, now)
  /** @type {Map<Member, Promise<import('./workers').About>>} */
  const asking = new Map()

  /** Asks a worker what it is: it gets work again if it answers. @param {Member} member @param {{ starting?: boolean }} [how] */
  function look(member, how) {
    const asked =
      asking.get(member) ??
      workers
        .about(member.url, how)
        .then(about => {
          balance.answered(member, about.places)
          return about
        })
        .catch(error => {
          balance.failed(member)
          throw error
        })
        .finally(() => asking.delete(member))
    asking.set(member, asked)
    return asked
  }

  /** @param {Member[]} members @returns {Promise<unknown>} once one of them answers @throws {XferError} PLATFORM_UNREACHABLE; what is wrong with one that answers, if none does well */
  const firstOf = members =>
    Promise.any(members.map(member => look(member))).catch(({ errors }) => {
      throw noneOf(errors)
    })

  /** @param {XferError[]} errors @returns {XferError} */
  function noneOf(errors) {
    const final = errors.find(error => !error.retryable)
    if (final) return final
    const [cause] = errors
    const platform = `the ${urls.length === 1 ? 'worker ' : ''}${where}`
    return failure('PLATFORM_UNREACHABLE', { where, platform, reason: causeOf(cause), uncertain: false }, { cause })
  }

  /** The worker for these parts, which counts them at once: many invocations may begin together. @param {string[]} parts @param {AbortSignal | undefined} signal */
  async function take(parts, signal) {
    for (const member of balance.away({ due: true })) look(member).catch(() => {})
    let member = balance.choose(parts)
    if (!member) {
      await untilAborted(firstOf(balance.away({ due: false })), signal)
      member = balance.choose(parts) ?? balance.members[0]
    }
    return { member, over: balance.begin(member, parts) }
  }

  return {
    name: 'http',
    where,
    reach,
    runsOn: 'platform',
    // A worker ends what its caller has hung up on. A balancer may send a request again.
    can: { cancel: true, pace: false, progress: false, once: false },
    partBytes: { usual: 64 * MiB, least: 8 * MiB },

    /** Asks all workers. Wrong tokens and other versions are found here; workers that do not answer get no work until they do. */
    async limits({ signal, dryRun = false } = {}) {
      const asked = Promise.allSettled(balance.members.map(member => look(member, { starting: true })))
      const found = await untilAborted(asked, signal)
      const errors = found.flatMap(one => (one.status === 'rejected' ? [/** @type {XferError} */ (one.reason)] : []))
      const good = found.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
      const final = errors.find(error => !error.retryable)
      if (final && !(dryRun && final.code === 'ACTION_VERSION')) throw final
      if (!final && good.length === 0) throw noneOf(errors)
      return { ...limitsOf(good), ...(final && { notReady: final }) }
    },

    async ping({ signal } = {}) {
      await untilAborted(firstOf(balance.members), signal)
    },

    async run(tasks, { signal, parallel, bytesPerSecond } = {}) {
      throwIfAborted(signal)
      const parts = tasks.map(partOf)
      const { member, over } = await take(parts, signal)
      const startedMs = now()
      try {
        const params = toParameters(tasks, { parallel, stallMs: silenceMs, bytesPerSecond })
        const result = await workers.run(member.url, params, { signal })
        const outcomes = toOutcomes(result, tasks, actionOf(member.url))
        balance.worked(member, { bytes: bytesOf(outcomes), ms: now() - startedMs })
        return outcomes
      } catch (cause) {
        const error = /** @type {XferError} */ (cause)
        if (error.throttled) balance.full(member, error.retryAfterMs ?? FULL_MS)
        else if (AWAY.has(error.code)) balance.failed(member)
        throw error
      } finally {
        over()
      }
    },

    async close() {
      workers.close()
    },
  }
}

/** @param {import('./workers').About[]} found of the workers that answered */
function limitsOf(found) {
  const least = (/** @type {(about: import('./workers').About) => number} */ of) => Math.min(...found.map(of))
  return {
    ...UNLIMITED,
    concurrent: found.reduce((sum, { places }) => sum + places, 0) || 1,
    invocationMs: INVOCATION_MS,
    timeoutMs: least(({ timeoutMs }) => timeoutMs),
    payloadBytes: least(({ payloadBytes }) => payloadBytes),
  }
}

/** What a task is about, whenever it was signed. @param {Task} task */
function partOf({ partNumber, read, write = read }) {
  return `${partNumber} ${write.url.split('?')[0]}`
}

/** @param {import('../../types').Outcome[]} outcomes */
function bytesOf(outcomes) {
  return outcomes.reduce((sum, outcome) => sum + ('error' in outcome ? 0 : outcome.bytes), 0)
}

/** Why a worker did not answer, as the end of a sentence. @param {XferError} error */
function causeOf({ facts }) {
  return facts.words ?? facts.reason ?? `HTTP ${facts.status}`
}

/** Checks of workers: whether they answer, accept the token, fit this xfer, and how fast they answer. */

/** @typedef {import('../contract').Finding} Finding */

/** A container may have to be started first. */
const CHECK_MS = 90_000

/** @type {Finding} */
const UNCONFIGURED = {
  ok: true,
  detail: 'No worker is configured.',
  hint: 'Start one with xfer serve, and name it by --worker URL or in XFER_WORKERS.',
}

/**
 * @param {{ worker?: string | string[], caBundle?: string, env: NodeJS.ProcessEnv, signal?: AbortSignal }} options
 * @returns {import('../contract').EngineChecks}
 */
function workerChecks({ env, signal, ...options }) {
  /** @type {ReturnType<typeof openWorkers>} */
  let workers
  /** Addresses of those that answer well. @type {string[]} */
  let good = []

  /** @param {string} url @param {object} params of the action */
  const invoke = (url, params) => workers.run(url, params, { signal })
  /** @type {import('../contract').EngineFound} */
  const found = {
    clocks: [],
    none: { ok: null, detail: 'Skipped, for no worker is configured.' },
    facts: () => actionOf(good[0] ?? found.settings?.where ?? ''),
    invoke: params => invoke(good[0], params),
    close: () => workers?.close(),
  }

  return engineChecks(found, CHECK_MS, [
    {
      name: 'workers',
      async run(signalOfCheck) {
        const settings = await readSettings(options, env)
        if (!settings) return UNCONFIGURED
        found.settings = settings
        workers = openWorkers(settings)
        const asked = settings.workers.map(url => workers.about(url, { signal: signalOfCheck, starting: true }))
        const answers = await Promise.allSettled(asked)
        good = settings.workers.filter((_, i) => answers[i].status === 'fulfilled')
        return judgeWorkers(answers, settings.from)
      },
    },
    {
      name: 'invocation',
      needs: ['workers'],
      async run() {
        const times = []
        for (const url of good) {
          const startedMs = performance.now()
          toOutcomes(await invoke(url, toParameters([])), [], actionOf(url))
          times.push(Math.ceil(performance.now() - startedMs))
        }
        const [least, most] = [Math.min(...times), Math.max(...times)]
        const range = least === most ? `${most} ms` : `${least} to ${most} ms`
        return { ok: true, detail: `The function answered in ${range}.` }
      },
    },
  ])
}

/**
 * @param {PromiseSettledResult<import('./workers').About>[]} answers
 * @param {string} from where the workers are configured
 * @returns {Finding}
 * @throws {XferError} that of the first worker, if none answers well
 */
function judgeWorkers(answers, from) {
  const abouts = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []))
  const [error] = answers.flatMap(answer =>
    answer.status === 'rejected' ? [/** @type {XferError} */ (answer.reason)] : [],
  )
  if (abouts.length === 0) throw error
  const places = abouts.reduce((sum, about) => sum + about.places, 0)
  if (!error) {
    const who = abouts.length === 1 ? 'The worker answers' : `All ${abouts.length} workers answer`
    return { ok: true, detail: `${who}: places for ${places} invocations at once (configured in ${from}).` }
  }
  const detail = `Only ${abouts.length} of ${answers.length} workers answer, with ${places} places. ${error.message}`
  return { ok: false, detail, hint: error.hint }
}

module.exports = { createHttpEngine, workerChecks }
