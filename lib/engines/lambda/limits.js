'use strict'

/**
 * The limits of the function, from three documents. Each may be missing, if the credentials may not read it.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */

const { VERSION } = require('../../../actions/copy-range/version')
const { XferError } = require('./errors')

/** @typedef {import('../../types').EngineLimits} EngineLimits */

const MiB = 1024 ** 2
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
  const none = Number.POSITIVE_INFINITY
  return {
    // Functions with a reserve do not use what the others share.
    concurrent:
      positive(reserved?.ReservedConcurrentExecutions) ??
      positive(shared.UnreservedConcurrentExecutions) ??
      positive(shared.ConcurrentExecutions) ??
      none,
    perMinute: none,
    ramp: RAMP,
    timeoutMs: (positive(seconds) ?? AS_DEPLOYED.Timeout) * 1000,
    answerMs: none,
    invocationMs: INVOCATION_MS,
    memoryBytes: (positive(megabytes) ?? AS_DEPLOYED.MemorySize) * MiB,
    payloadBytes: PAYLOAD_BYTES,
    skewMs: 0,
  }
}

/**
 * Whether the function can run now. `xfer deploy` notes the interface's version in its environment. A function without it shows
 * it in its first answer.
 *
 * @param {{ configuration?: any, reserved?: any }} documents as of `readLimits`
 * @param {{ action: string, where: string }} facts
 * @returns {import('../../types').XferError | undefined} the error if it cannot
 */
function notReady({ configuration = {}, reserved }, facts) {
  const { State: state, StateReason: why, Environment: environment } = configuration
  if (state === 'Pending') {
    return new XferError('LAMBDA_NOT_READY', { ...facts, reason: 'it is being created' })
  }
  if (state === 'Failed') {
    const reason = typeof why === 'string' && why !== '' ? why.replace(/\.$/, '') : 'its state is Failed'
    return new XferError('LAMBDA_BROKEN', { ...facts, reason })
  }
  if (reserved?.ReservedConcurrentExecutions === 0) {
    return new XferError('LAMBDA_REFUSED', {
      ...{ ...facts, status: 429, type: 'TooManyRequestsException', reason: 'its reserved concurrency is 0' },
      advice: 'Raise or delete the reserved concurrency of the function.',
    })
  }
  const noted = environment?.Variables?.XFER_INTERFACE
  if (noted === undefined || Number(noted) === VERSION) return undefined
  const version = /^[\w.-]{1,20}$/.test(String(noted)) ? noted : 'unknown'
  return new XferError('ACTION_VERSION', { ...facts, reason: `its interface version is ${version}, not ${VERSION}` })
}

/** @param {unknown} value */
function positive(value) {
  return typeof value === 'number' && value > 0 ? value : undefined
}

module.exports = { notReady, readLimits }
