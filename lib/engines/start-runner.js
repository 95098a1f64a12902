'use strict'

/** The function that runs jobs, where one is deployed. */

const { ENGINES } = require('./registry')

/** @typedef {{ env: NodeJS.ProcessEnv, apihost?: string, caBundle?: string }} RunnerPlace how its platform is found */
/** @typedef {{ engine: string, where: string, action: string, start: (call: import('../types').RunnerCall) => Promise<void> }} FoundRunner */

/**
 * @param {string} engine value of `--engine`
 * @param {RunnerPlace} place
 * @returns {Promise<FoundRunner | undefined>} of the first platform that is configured and has one
 * @throws {import('../types').XferError} what keeps it from the platform
 */
async function findRunner(engine, { env, ...options }) {
  for (const { name, runner, configured } of ENGINES) {
    if (!runner || (engine !== 'auto' && engine !== name)) continue
    const settings = await configured(options, env, engine === name)
    const found = settings && runner.open(settings, env)
    if (found && (await found.isThere())) return { engine: name, ...found }
  }
  return undefined
}

/**
 * Calls it, and does not wait for its end.
 *
 * @param {string} engine
 * @param {import('../types').RunnerCall} call
 * @param {RunnerPlace} place
 * @throws {import('../types').XferError} ACTION_NOT_DEPLOYED, NO_PLATFORM
 */
async function startRunner(engine, call, { env, ...options }) {
  const { runner, configured, missing } = /** @type {import('./contract').EngineFactory} */ (
    ENGINES.find(({ name }) => name === engine)
  )
  const settings = await configured(options, env, true)
  if (!settings) throw missing?.()
  await runner?.open(settings, env).start(call)
}

module.exports = { findRunner, startRunner }
