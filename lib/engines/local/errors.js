'use strict'

/** Errors of the local engine. */

const { EXIT, withRows } = require('../../errors')

/** @type {Record<string, import('../../errors').Row>} */
const ROWS = {
  LOCAL_WORKER_FAILED: {
    exit: EXIT.ENGINE,
    message: f => `A thread of the local engine failed (${f.reason}).`,
    hint: () => 'Repeat the command with --debug; lower --concurrency if memory was short.',
    retryable: true,
  },
  LOCAL_WORKER_MISSING: {
    exit: EXIT.ENGINE,
    message: f => `The local engine's file ${f.path} is missing.`,
    hint: () =>
      'Leave xfer out of a bundle (esbuild: --external:xfer) and install it beside; without a bundle install it again.',
  },
}

module.exports = { ROWS, XferError: withRows(ROWS) }
