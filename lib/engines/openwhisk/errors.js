'use strict'

/** Errors of the platform, of its functions and of the deployed action: what to do about them, and the rows that no other has. */

const { EXIT, failuresWith, withRows } = require('../../errors')

/** @typedef {Record<string, any>} Facts */

/** Where to look at an activation. @param {Facts} f */
const activationOf = f => `Look at activation ${f.activationId ?? '(its id was not given)'} on the platform`

/** What to do, by code. @type {import('../../errors').Advice} */
const ADVICE = {
  NO_PLATFORM: f =>
    `Set APIHOST and AUTH in ~/.wskprops or in the environment${f.neededBy ? '' : ', or use --engine local'}.`,
  PLATFORM_UNREACHABLE: f => `Check APIHOST and the network${f.neededBy ? '' : ', or copy with --engine local'}.`,
  NOT_A_PLATFORM: () => 'Check APIHOST: it must be the API host that wsk uses, with or without https.',
  PLATFORM_KEY_REFUSED: f => {
    if (f.keyFrom) return `Check ${f.status === 403 ? 'NAMESPACE, and ' : ''}AUTH, which came from ${f.keyFrom}.`
    return `Check AUTH${f.status === 403 ? ' and NAMESPACE' : ''} in ~/.wskprops or in the environment.`
  },
  PLATFORM_ERROR: () => 'Repeat the command; if it fails again, look at the activation on the platform.',
  PLATFORM_REFUSED: f => f.whenRefused ?? 'Check the platform and the limits of its namespace.',
  ACTIVATION_FAILED: f => `${activationOf(f)}.`,
  ACTIVATION_LOST: f => `${activationOf(f)}.`,
  ACTIVATION_EXITED: f => `${activationOf(f)}; deploy with more memory if it was short.`,
  ACTION_NOT_LOADED: f => `${activationOf(f)}; if it fails again, run xfer deploy.`,
}

/** @type {Record<string, import('../../errors').Row>} */
const ROWS = {
  PLATFORM_CONFLICT: {
    exit: EXIT.ENGINE,
    message: f => `The OpenWhisk platform at ${f.where} reports a conflict (HTTP ${f.status}: ${f.reason}).`,
    hint: () => 'Repeat the command; if it fails again, look at what has that name on the platform.',
    retryable: true,
  },
  CONTAINER_NOT_READY: {
    exit: EXIT.ENGINE,
    message: f => `A container on ${f.where} was not ready for a request (${f.reason}).`,
    hint: () =>
      'Repeat the command; if it fails again, see that limits.concurrency of the action is 1 (xfer deploy sets it), and look at the containers of the platform.',
    retryable: true,
    uncertain: true,
    blameless: true,
  },
}

const XferError = withRows(ROWS)

/** Makes an error with the advice of this platform. */
const failure = failuresWith(ADVICE)

/** Facts for its errors. @param {string} apihost @param {string} action with its package */
function factsOf(apihost, action) {
  return { where: apihost, action, platform: `the OpenWhisk platform at ${apihost}`, fn: `the action ${action}` }
}

module.exports = { ROWS, XferError, factsOf, failure }
