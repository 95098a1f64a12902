'use strict'

/** Errors of the platform, of its functions and of the deployed action. */

const { EXIT, why, withRows } = require('../../../errors')

/** @typedef {Record<string, any>} Facts */

/** Where to check a refused key. @param {Facts} f */
function keyAdvice(f) {
  if (f.keyFrom) return `Check ${f.status === 403 ? 'NAMESPACE, and ' : ''}AUTH, which came from ${f.keyFrom}.`
  return `Check AUTH${f.status === 403 ? ' and NAMESPACE' : ''} in ~/.wskprops or in the environment.`
}

/** Where to look at an activation. @param {Facts} f */
function activationOf(f) {
  return `activation ${f.activationId ?? '(its id was not given)'} on the platform`
}

/** @type {Record<string, import('../../../errors').Row>} */
const ROWS = {
  NO_PLATFORM: {
    exit: EXIT.ENGINE,
    message: f =>
      f.neededBy
        ? `No OpenWhisk platform is configured, and ${f.neededBy} needs one.`
        : 'The openwhisk engine was asked for, and no OpenWhisk platform is configured.',
    hint: f =>
      `Set APIHOST and AUTH in ~/.wskprops or in the environment${f.neededBy ? '' : ', or use --engine local'}.`,
  },
  PLATFORM_UNREACHABLE: {
    exit: EXIT.ENGINE,
    message: f => `The OpenWhisk platform at ${f.apihost} cannot be reached (${why(f)}).`,
    hint: f => `Check APIHOST and the network${f.neededBy ? '' : ', or copy with --engine local'}.`,
    retryable: true,
    shared: true,
    uncertain: true,
  },
  NOT_A_PLATFORM: {
    exit: EXIT.ENGINE,
    message: f => `What answers at ${f.apihost} is no OpenWhisk platform (${why(f)}).`,
    hint: () => 'Check APIHOST: it must be the API host that wsk uses, with or without https.',
  },
  PLATFORM_KEY_REFUSED: {
    exit: EXIT.ENGINE,
    message: f =>
      f.status === 403
        ? `The OpenWhisk platform at ${f.apihost} does not let this key into the namespace (HTTP 403).`
        : `The OpenWhisk platform at ${f.apihost} refuses the key (HTTP ${f.status}).`,
    hint: keyAdvice,
  },
  ACTION_NOT_DEPLOYED: {
    exit: EXIT.ENGINE,
    message: f => `The action ${f.action} is not deployed on ${f.apihost}.`,
    hint: () => 'Run xfer deploy, then repeat the command.',
  },
  ACTION_BROKEN: {
    exit: EXIT.ENGINE,
    message: f => `The action ${f.action} on ${f.apihost} cannot be started (${f.reason}).`,
    hint: () => 'Run xfer deploy, then repeat the command.',
  },
  PLATFORM_THROTTLED: {
    exit: EXIT.ENGINE,
    message: f => `The OpenWhisk platform at ${f.apihost} asks for fewer requests (HTTP ${f.status}: ${f.reason}).`,
    hint: () => 'Lower --concurrency, or ask the platform for a higher limit.',
    retryable: true,
    throttled: true,
  },
  PLATFORM_ERROR: {
    exit: EXIT.ENGINE,
    message: f => `The OpenWhisk platform at ${f.apihost} failed (HTTP ${f.status}: ${f.reason}).`,
    hint: () => 'Repeat the command; if it fails again, look at the activation on the platform.',
    retryable: true,
    shared: true,
    uncertain: true,
  },
  PLATFORM_REFUSED: {
    exit: EXIT.ENGINE,
    message: f => `The OpenWhisk platform at ${f.apihost} refused the request (HTTP ${f.status}: ${f.reason}).`,
    hint: f => f.advice ?? 'Check the platform and the limits of its namespace.',
  },
  PLATFORM_CONFLICT: {
    exit: EXIT.ENGINE,
    message: f => `The OpenWhisk platform at ${f.apihost} reports a conflict (HTTP ${f.status}: ${f.reason}).`,
    hint: () => 'Repeat the command; if it fails again, look at what has that name on the platform.',
    retryable: true,
  },
  ACTIVATION_FAILED: {
    exit: EXIT.ENGINE,
    message: f => `The action failed on ${f.apihost}: ${f.reason}.`,
    hint: f => `Look at ${activationOf(f)}.`,
    retryable: true,
    uncertain: true,
  },
  ACTIVATION_LOST: {
    exit: EXIT.ENGINE,
    message: f => `An activation on ${f.apihost} gave no answer within ${Math.round(f.afterMs / 1000)} s.`,
    hint: f => `Look at ${activationOf(f)}.`,
    retryable: true,
    uncertain: true,
  },
  ACTIVATION_OUT_OF_MEMORY: {
    exit: EXIT.ENGINE,
    message: f => `A function on ${f.apihost} ran out of memory.`,
    hint: () => 'Deploy the action with more memory.',
    retryable: true,
    uncertain: true,
    smaller: true,
  },
  ACTIVATION_TIMED_OUT: {
    exit: EXIT.ENGINE,
    message: f => `A function on ${f.apihost} exceeded its time limit (${f.reason}).`,
    hint: () => 'Deploy the action with a longer timeout, or choose a smaller --chunk.',
    retryable: true,
    uncertain: true,
    smaller: true,
  },
  ACTIVATION_EXITED: {
    exit: EXIT.ENGINE,
    message: f => `A function on ${f.apihost} ended without an answer (${f.reason}).`,
    hint: f => `Look at ${activationOf(f)}; deploy with more memory if it was short.`,
    retryable: true,
    uncertain: true,
    smaller: true,
  },
  ACTION_NOT_LOADED: {
    exit: EXIT.ENGINE,
    message: f => `A container on ${f.apihost} could not load the action (${f.reason}).`,
    hint: f => `Look at ${activationOf(f)}; if it fails again, run xfer deploy.`,
    retryable: true,
    uncertain: true,
  },
  CONTAINER_NOT_READY: {
    exit: EXIT.ENGINE,
    message: f => `A container on ${f.apihost} was not ready for a request (${f.reason}).`,
    hint: () =>
      'Repeat the command; if it fails again, see that limits.concurrency of the action is 1 (xfer deploy sets it), and look at the containers of the platform.',
    retryable: true,
    uncertain: true,
    blameless: true,
  },
  PAYLOAD_TOO_LARGE: {
    exit: EXIT.ENGINE,
    message: f =>
      `The parameters or the result of an invocation on ${f.apihost} are larger than the platform allows (${f.reason}).`,
    hint: () => 'Choose a larger --chunk.',
    retryable: true,
    uncertain: true,
    smaller: true,
  },
}

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

module.exports = { ROWS, XferError }
