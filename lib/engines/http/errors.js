'use strict'

/** Errors of workers: what to do about them, and the rows that no other engine has. */

const { EXIT, failuresWith, why, withRows } = require('../../errors')

const REACH = 'Check that xfer serve runs there, and the network.'

/** What to do, by code. @type {import('../../errors').Advice} */
const ADVICE = {
  NO_PLATFORM: () => 'Name workers by --worker URL or in XFER_WORKERS; xfer serve starts one.',
  PLATFORM_UNREACHABLE: () => REACH,
  NOT_A_PLATFORM: f =>
    f.gateway
      ? 'A gateway or a platform asks for credentials of its own: let it pass requests on without them; xfer serve checks XFER_TOKEN.'
      : 'Check the address: it must be one at which xfer serve listens, with http or https as it does.',
  PLATFORM_KEY_REFUSED: () => 'Set XFER_TOKEN to the token that the worker was started with.',
  PLATFORM_THROTTLED: () =>
    'Lower --concurrency, start more workers or give them more --places, or raise the limit of what stands before them.',
}

/** @type {Record<string, import('../../errors').Row>} */
const ROWS = {
  WORKER_UNREACHABLE: {
    exit: EXIT.ENGINE,
    message: f => `The worker ${f.where} cannot be reached (${why(f)}).`,
    hint: () => REACH,
    retryable: true,
    blameless: true,
  },
  WORKER_LOST: {
    exit: EXIT.ENGINE,
    message: f => `The worker ${f.where}, or what stands before it, failed (${why(f)}).`,
    hint: () => 'Look at their logs; if the worker had too little memory, start it with fewer --places.',
    retryable: true,
    uncertain: true,
    blameless: true,
  },
}

/** The class with these rows in its table. */
const XferError = withRows(ROWS)

/** Makes an error with the advice for this engine. */
const failure = failuresWith(ADVICE)

/** Facts for errors about a worker. @param {string} where its address */
const factsOf = where => ({ where, platform: `the worker ${where}` })

module.exports = { ROWS, XferError, factsOf, failure }
