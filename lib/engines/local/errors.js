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
}

module.exports = { ROWS, XferError: withRows(ROWS) }
