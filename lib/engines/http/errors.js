'use strict'

/** Errors of workers. */

const { EXIT, why, withRows } = require('../../errors')

/** @type {Record<string, import('../../errors').Row>} */
const ROWS = {
  WORKER_UNCONFIGURED: {
    exit: EXIT.ENGINE,
    message: () => 'The http engine was asked for, and no worker is configured.',
    hint: () => 'Name workers by --worker URL or in XFER_WORKERS; xfer serve starts one.',
  },
  NO_WORKER: {
    exit: EXIT.ENGINE,
    message: f =>
      `${f.workers === 1 ? `The worker ${f.where} does` : `None of the ${f.workers} workers does`} not answer (${why(f)}).`,
    hint: () => 'Check that xfer serve runs there, and the network.',
    retryable: true,
    shared: true,
  },
  WORKER_UNREACHABLE: {
    exit: EXIT.ENGINE,
    message: f => `The worker ${f.where} cannot be reached (${why(f)}).`,
    hint: () => 'Check that xfer serve runs there, and the network.',
    retryable: true,
    blameless: true,
  },
  WORKER_LOST: {
    exit: EXIT.ENGINE,
    message: f => `The worker ${f.where} was lost while it worked (${why(f)}).`,
    hint: () => 'Look at its log; if it had too little memory, start it with fewer --places.',
    retryable: true,
    uncertain: true,
    blameless: true,
  },
  WORKER_ERROR: {
    exit: EXIT.ENGINE,
    message: f => `The worker ${f.where} failed, or what stands before it (HTTP ${f.status}).`,
    hint: () => 'Look at the logs of the worker and of the balancer.',
    retryable: true,
    uncertain: true,
    blameless: true,
  },
  WORKER_BUSY: {
    exit: EXIT.ENGINE,
    message: f => `All places of the worker ${f.where} are taken (HTTP ${f.status}).`,
    hint: () => 'Lower --concurrency, start more workers, or give them more --places.',
    retryable: true,
    throttled: true,
  },
  WORKER_THROTTLED: {
    exit: EXIT.ENGINE,
    message: f => `What stands before the worker ${f.where} asks for fewer requests (HTTP ${f.status}).`,
    hint: () => 'Lower --concurrency, or raise the limit of the balancer or platform before the workers.',
    retryable: true,
    throttled: true,
  },
  WORKER_TOKEN_REFUSED: {
    exit: EXIT.ENGINE,
    message: f => `The worker ${f.where} refuses the token (HTTP ${f.status}).`,
    hint: () => 'Set XFER_TOKEN to the token that the worker was started with.',
  },
  WORKER_PAYLOAD_TOO_LARGE: {
    exit: EXIT.ENGINE,
    message: f => `The parameters of an invocation are larger than the worker ${f.where} takes.`,
    hint: () => 'Choose a larger --chunk.',
    retryable: true,
    smaller: true,
  },
  NOT_A_WORKER: {
    exit: EXIT.ENGINE,
    message: f => `What answers at ${f.where} is no worker (${why(f)}).`,
    hint: f =>
      f.gateway
        ? 'A gateway or a platform asks for credentials of its own: let it pass requests on without them; xfer serve checks XFER_TOKEN.'
        : 'Check the address: it must be one at which xfer serve listens, with http or https as it does.',
  },
}

/** The class with these rows in its table. */
const XferError = withRows(ROWS)

module.exports = { ROWS, XferError }
