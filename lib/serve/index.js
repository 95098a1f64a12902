'use strict'

/** The door of the worker, which `xfer serve` runs. */

const { XferError } = require('../errors')
const { startServer } = require('./server')
const { readSettings } = require('./settings')

/**
 * Starts a worker.
 *
 * @param {Record<string, any>} options of `xfer serve`, read
 * @param {{ env: NodeJS.ProcessEnv, log: (entry: Record<string, unknown>) => void } & import('./server').Bounds} world
 * @returns {Promise<import('./server').Worker>}
 * @throws {XferError} USAGE, also if it cannot listen
 */
async function startWorker(options, { env, log, ...bounds }) {
  const settings = { ...(await readSettings(options, env)), ...bounds }
  try {
    return await startServer(settings, log)
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause)
    const text = `The worker cannot listen on ${settings.host}, port ${settings.port} (${code}).`
    throw new XferError('USAGE', { text, advice: 'Choose another --port or --host.' }, { cause })
  }
}

module.exports = { startWorker }
