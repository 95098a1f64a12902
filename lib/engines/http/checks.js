'use strict'

/** Checks of workers: whether they answer, accept the token, fit this xfer, and how fast they answer. */

const { EXIT } = require('../../errors')
const { toOutcomes, toParameters } = require('../common')
const { readSettings } = require('./settings')
const { actionOf, openWorkers } = require('./workers')

/** @typedef {import('../contract').Check} Check */
/** @typedef {import('../contract').Finding} Finding */
/** @typedef {import('../../types').XferError} Failure */

/** A container may have to be started first. */
const CHECK_MS = 90_000

/** @type {Finding} */
const UNCONFIGURED = {
  ok: true,
  detail: 'No worker is configured.',
  hint: 'Start one with xfer serve, and name it by --worker URL or in XFER_WORKERS.',
}
/** @type {Finding} */
const NONE = { ok: null, detail: 'Skipped, for no worker is configured.' }

/**
 * @param {{ worker?: string | string[], caBundle?: string, env: NodeJS.ProcessEnv, signal?: AbortSignal }} options
 * @returns {import('../contract').EngineChecks}
 */
function workerChecks({ env, signal, ...options }) {
  /** @type {ReturnType<typeof openWorkers> | undefined} */
  let workers
  /** Addresses of those that answer well. @type {string[]} */
  let good = []

  /** @param {string} url @param {object} params of the action */
  const invoke = (url, params) => /** @type {ReturnType<typeof openWorkers>} */ (workers).run(url, params, { signal })
  /** @type {import('../contract').EngineFound} */
  const found = {
    clocks: [],
    none: NONE,
    facts: () => actionOf(good[0] ?? found.settings?.where ?? ''),
    invoke: params => invoke(good[0], params),
    close: () => workers?.close(),
  }

  /** @type {Check[]} */
  const checks = [
    {
      name: 'workers',
      limitMs: CHECK_MS,
      exit: EXIT.ENGINE,
      async run(signalOfCheck) {
        const settings = await readSettings(options, env)
        if (!settings) return UNCONFIGURED
        found.settings = settings
        const opened = openWorkers(settings)
        workers = opened
        const asked = settings.workers.map(url => opened.about(url, { signal: signalOfCheck, starting: true }))
        const answers = await Promise.allSettled(asked)
        good = settings.workers.filter((_, i) => answers[i].status === 'fulfilled')
        return judgeWorkers(answers, settings.from)
      },
    },
    {
      name: 'invocation',
      needs: ['workers'],
      limitMs: CHECK_MS,
      exit: EXIT.ENGINE,
      async run() {
        if (!found.settings) return NONE
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
  ]
  return { checks, found }
}

/**
 * @param {PromiseSettledResult<import('./workers').About>[]} answers
 * @param {string} from where the workers are configured
 * @returns {Finding}
 * @throws {Failure} that of the first worker, if none answers well
 */
function judgeWorkers(answers, from) {
  const abouts = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []))
  const [error] = answers.flatMap(answer =>
    answer.status === 'rejected' ? [/** @type {Failure} */ (answer.reason)] : [],
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

module.exports = { workerChecks }
