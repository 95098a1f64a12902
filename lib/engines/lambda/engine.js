'use strict'

/** The engine `lambda`: invokes the deployed function, synchronously. */

const { UNLIMITED, misfitOf, positive, toParameters, toOutcomes } = require('../common')
const { throwIfAborted } = require('../../errors')
const { openClient } = require('./client')
const { failure } = require('./answers')
const { providerOf } = require('./settings')

/** @typedef {import('../../types').Engine} Engine */

/** How long an invocation may be queued, start and be answered, in addition to the function's timeout. */
const GRACE_MS = 60_000
/** The longest timeout of a function. */
const LONGEST_MS = 15 * 60_000
const MiB = 1024 ** 2
/** With these a dry run goes on: xfer deploy mends them, or time does. */
const NOT_READY = new Set(['ACTION_NOT_DEPLOYED', 'ACTION_NOT_LOADED', 'ACTION_BROKEN', 'ACTION_VERSION'])

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
  let timeoutMs = LONGEST_MS

  /** @param {AbortSignal | undefined} signal */
  const askConfiguration = signal => client.read('GetFunctionConfiguration', client.target, { signal })

  return {
    name: 'lambda',
    where: settings.where,
    reach: settings.reach,
    provider: providerOf(),
    runsOn: 'platform',
    // A function runs on when its caller has gone. Lambda does not retry a synchronous invocation, but "when an error occurs, your
    // function may be invoked multiple times": https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
    can: { cancel: false, pace: false, progress: false, once: false },
    partBytes: { usual: 96 * MiB, least: 16 * MiB },

    /** Reads the function's configuration and the limits of the account. A missing function and wrong keys are found here. */
    async limits({ signal, dryRun = false } = {}) {
      /** No copy needs it. @param {'GetAccountSettings' | 'GetFunctionConcurrency'} name @param {import('./client').Input} [input] */
      const ask = (name, input) => client.call(name, input, { signal }).catch(() => throwIfAborted(signal))
      /** @type {import('../../types').XferError | undefined} */
      let missing
      const asked = [
        askConfiguration(signal).catch(error => {
          missing = error
        }),
        ask('GetAccountSettings'),
        ask('GetFunctionConcurrency', { function: settings.fn.name }),
      ]
      const [configuration, account, reserved] = (await Promise.all(asked)).map(answer => answer?.output)
      const limits = readLimits({ configuration, account, reserved })
      if (configuration) timeoutMs = limits.timeoutMs
      const why = missing ?? notReady({ configuration, reserved }, facts)
      if (!why) return limits
      if (!dryRun || !NOT_READY.has(why.code)) throw why
      return { ...limits, notReady: why }
    },

    async ping({ signal } = {}) {
      await askConfiguration(signal)
    },

    async run(tasks, { signal, parallel, bytesPerSecond } = {}) {
      const params = toParameters(tasks, { parallel, stallMs: silenceMs, bytesPerSecond })
      return toOutcomes(await client.invoke(params, { signal, limitMs: timeoutMs + graceMs }), tasks, facts)
    },

    async close() {
      client.close()
    },
  }
}

/**
 * The limits of the function, from three documents. Each may be missing, if the credentials may not read it.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */

/** @typedef {import('../../types').EngineLimits} EngineLimits */

/** Of a synchronous invocation, both ways. */
const PAYLOAD_BYTES = 6 * MiB
/** New environments of a function. https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html */
const RAMP = { atOnce: 1_000, perSecond: 100 }
/** The overhead of a call to a warm function. */
const INVOCATION_MS = 30
/** With what xfer deploys the function; assumed where its configuration is not known. */
const AS_DEPLOYED = { Timeout: 300, MemorySize: 256 }

/**
 * @param {object} documents absent: it could not be read
 * @param {any} [documents.configuration] of GetFunctionConfiguration
 * @param {any} [documents.account] of GetAccountSettings
 * @param {any} [documents.reserved] of GetFunctionConcurrency
 * @returns {EngineLimits}
 */
function readLimits({ configuration, account, reserved }) {
  const { Timeout: seconds, MemorySize: megabytes } = { ...AS_DEPLOYED, ...configuration }
  const shared = account?.AccountLimit ?? {}
  return {
    ...UNLIMITED,
    // Functions with a reserve do not use what the others share.
    concurrent:
      positive(reserved?.ReservedConcurrentExecutions) ??
      positive(shared.UnreservedConcurrentExecutions) ??
      positive(shared.ConcurrentExecutions) ??
      Number.POSITIVE_INFINITY,
    ramp: RAMP,
    timeoutMs: (positive(seconds) ?? AS_DEPLOYED.Timeout) * 1000,
    invocationMs: INVOCATION_MS,
    memoryBytes: (positive(megabytes) ?? AS_DEPLOYED.MemorySize) * MiB,
    provider: providerOf(configuration),
    payloadBytes: PAYLOAD_BYTES,
  }
}

/**
 * Whether the function can run now. `xfer deploy` notes the interface's version in its environment.
 *
 * @param {{ configuration?: any, reserved?: any }} documents as of `readLimits`
 * @param {{ action: string, where: string }} facts
 * @returns {import('../../types').XferError | undefined} the error if it cannot
 */
function notReady({ configuration = {}, reserved }, facts) {
  const { State: state, StateReason: why, Environment: environment } = configuration
  if (state === 'Pending') {
    return failure('ACTION_NOT_LOADED', { ...facts, uncertain: false, reason: 'it is being created' })
  }
  if (state === 'Failed') {
    const reason = typeof why === 'string' && why !== '' ? why.replace(/\.$/, '') : 'its state is Failed'
    return failure('ACTION_BROKEN', { ...facts, reason })
  }
  if (reserved?.ReservedConcurrentExecutions === 0) {
    return failure('PLATFORM_REFUSED', {
      ...facts,
      status: 429,
      type: 'TooManyRequestsException',
      reason: 'its reserved concurrency is 0',
      advice: 'Raise or delete the reserved concurrency of the function.',
    })
  }
  return misfitOf(environment?.Variables?.XFER_INTERFACE, facts)
}

module.exports = { createLambdaEngine, notReady, readLimits }
