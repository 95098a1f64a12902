'use strict'

/** The engine `lambda`: invokes the deployed function, synchronously. */

const { toParameters, toOutcomes } = require('../common')
const { resultOf } = require('./answers')
const { openClient } = require('./client')
const { XferError } = require('./errors')
const { notReady, readLimits } = require('./limits')

/** @typedef {import('../../types').Engine} Engine */
/** @typedef {import('./client').Answer} Answer */

/** How long an invocation may be queued, start and be answered, in addition to the function's timeout. */
const GRACE_MS = 60_000
/** The longest timeout of a function. */
const LONGEST_MS = 15 * 60_000
const MiB = 1024 ** 2
const SYNCHRONOUS = { 'x-amz-invocation-type': 'RequestResponse' }
/** With these a dry run goes on: xfer deploy mends them, or time does. */
const NOT_READY = new Set(['LAMBDA_NOT_DEPLOYED', 'LAMBDA_NOT_READY', 'LAMBDA_BROKEN', 'ACTION_VERSION'])

/**
 * @param {import('./settings').LambdaSettings} settings
 * @param {object} [options]
 * @param {number} [options.silenceMs] how long Lambda may take to answer requests other than invocations, and how long a
 *   function's connection may be silent
 * @param {number} [options.graceMs] how long an answer may take in addition to the function's timeout
 * @param {number} [options.concurrency] how many idle connections to keep
 * @returns {Engine}
 */
function createLambdaEngine(settings, options = {}) {
  const { silenceMs, graceMs = GRACE_MS, concurrency } = options
  const client = openClient(settings, { silenceMs, connections: concurrency })
  const { facts } = client
  const { name, qualifier } = settings.fn
  const fn = { function: name, ...(qualifier && { qualifier }) }
  let timeoutMs = LONGEST_MS

  /** Reads what the credentials may not be allowed to read. @param {Promise<Answer>} asked @param {AbortSignal} [signal] */
  async function optional(asked, signal) {
    return await asked.catch(error => {
      if (signal?.aborted) throw error
    })
  }

  /** @param {AbortSignal | undefined} signal @returns {Promise<Answer | undefined>} undefined if the credentials may only invoke */
  async function askConfiguration(signal) {
    return await client.call('GetFunctionConfiguration', fn, { signal }).catch(error => {
      if (error.facts?.type !== 'AccessDeniedException') throw error
      return undefined
    })
  }

  return {
    name: 'lambda',
    where: settings.where,
    reach: settings.reach,
    runsOn: 'platform',
    can: {
      // A function runs on when its caller has gone.
      cancel: false,
      pace: false,
      progress: false,
      // Lambda does not retry a synchronous invocation, but "when an error occurs, your function may be invoked multiple times":
      // https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
      once: false,
    },
    partBytes: { usual: 96 * MiB, least: 16 * MiB },

    /** Reads the function's configuration and the limits of the account. A missing function and wrong keys are found here. */
    async limits({ signal, dryRun = false } = {}) {
      /** @param {'GetAccountSettings' | 'GetFunctionConcurrency'} name @param {object} input */
      const ask = (name, input) => optional(client.call(name, input, { signal }), signal)
      const [configuration, account, reserved] = await Promise.all([
        askConfiguration(signal).catch(error => {
          if (!dryRun || !NOT_READY.has(error.code)) throw error
          return error
        }),
        ask('GetAccountSettings', {}),
        ask('GetFunctionConcurrency', { function: name }),
      ])
      const missing = configuration instanceof XferError ? configuration : undefined
      const documents = {
        configuration: missing ? undefined : configuration?.output,
        account: account?.output,
        reserved: reserved?.output,
      }
      const limits = readLimits(documents)
      if (documents.configuration) timeoutMs = limits.timeoutMs
      const why = missing ?? notReady(documents, facts)
      if (!why) return limits
      if (!dryRun || !NOT_READY.has(why.code)) throw why
      return { ...limits, notReady: why }
    },

    async ping({ signal } = {}) {
      await askConfiguration(signal)
    },

    async run(tasks, { signal, parallel, bytesPerSecond } = {}) {
      const params = toParameters(tasks, { parallel, stallMs: silenceMs, bytesPerSecond })
      const limitMs = timeoutMs + graceMs
      const answer = await client.call('Invoke', { ...fn, headers: SYNCHRONOUS, body: params }, { signal, limitMs })
      const result = resultOf(answer, facts)
      return toOutcomes(result, tasks, facts)
    },

    async close() {
      client.close()
    },
  }
}

module.exports = { createLambdaEngine }
