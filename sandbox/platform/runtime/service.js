'use strict'

const { loadAction } = require('./load')

/** @typedef {{ status: number, body: unknown }} Reply */

/** @param {number} status @param {string} error @returns {Reply} */
const refusal = (status, error) => ({ status, body: { error } })

/**
 * A container's answers to /init and /run, and its states. Upstream: openwhisk-runtime-nodejs src/service.js.
 */
function createService() {
  /** @type {'ready' | 'starting' | 'running' | 'stopped'} a stopped service stays stopped */
  let status = 'ready'
  /** @type {import('./load').Main | undefined} */
  let main

  /**
   * @param {{ value: { main: string, code: string, binary: boolean, env: Record<string, string> } }} body
   * @returns {Promise<Reply>}
   */
  async function init({ value: { env, ...action } }) {
    if (main) return refusal(403, 'Cannot initialize the action more than once.')
    if (status !== 'ready') return refusal(403, `System not ready, status is ${status}.`)
    status = 'starting'
    try {
      Object.assign(process.env, env)
      main = loadAction(action)
      status = 'ready'
      // garbage from unpacking must not count against the first activation's memory
      globalThis.gc?.()
      return { status: 200, body: { OK: true } }
    } catch (thrown) {
      const error = /** @type {any} */ (thrown)
      console.error('Error during initialization:', error)
      status = 'stopped'
      return refusal(502, `Initialization has failed due to: ${error?.stack ? String(error.stack) : error}`)
    }
  }

  /**
   * @param {Record<string, unknown>} message
   * @returns {Promise<Reply>}
   */
  async function run(message) {
    const parameters = message.value ?? {}
    if (!main) return refusal(403, 'System not initialized.')
    if (status !== 'ready') return refusal(403, `System not ready, status is ${status}.`)
    status = 'running'
    for (const [key, value] of Object.entries(message)) {
      if (key !== 'value' && typeof value === 'string') process.env[`__OW_${key.toUpperCase()}`] = value
    }
    try {
      const result = await settled(main, parameters)
      status = 'ready'
      if (typeof result !== 'object') return refusal(502, 'The action did not return a dictionary.')
      return { status: 200, body: result }
    } catch (error) {
      // main threw synchronously: the action's state is unknown, so this container is not used again
      console.error(error)
      status = 'stopped'
      return refusal(502, `An error has occurred: ${error}`)
    }
  }

  return { init, run }
}

/**
 * Rejects if main throws synchronously. A promise of main's that rejects is a result, `{ error }`.
 *
 * @param {import('./load').Main} main
 * @param {unknown} parameters
 * @returns {Promise<unknown>}
 */
async function settled(main, parameters) {
  const returned = main(parameters)
  try {
    const result = await returned
    return result === undefined ? {} : result
  } catch (reason) {
    // upstream shows all of an error's own properties too
    if (reason instanceof Error) return { error: { name: reason.name, message: reason.message, stack: reason.stack } }
    return { error: reason ?? {} }
  }
}

module.exports = { createService }
