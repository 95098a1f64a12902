'use strict'

const lib = require('../lib')

/**
 * Fails a command that reports by events, for a reason that the library does not know.
 *
 * @param {{ onEvent: (event: any) => void }} run
 * @param {import('../lib').XferErrorCode} code
 * @param {Record<string, any>} facts
 * @param {unknown} [cause]
 * @returns {never}
 * @throws {import('../lib').XferError} after its event
 */
function refuse({ onEvent }, code, facts, cause) {
  const error = new lib.XferError(code, facts, { cause })
  const { message, hint, exitCode } = error
  onEvent({ type: 'error', code, message, hint, exitCode, time: new Date().toISOString() })
  throw error
}

module.exports = { refuse }
