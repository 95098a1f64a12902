'use strict'

/** What the runner reaches, for `xfer doctor`: the state, the stores of its profiles, and itself. */

const { withJournals } = require('../commands/jobs')
const { profiles } = require('../commands/profiles')
const { findRunner } = require('../engines')
const { asXferError } = require('../errors')

/**
 * @param {NodeJS.ProcessEnv} env of a run
 * @param {string} engine whose function this is
 * @returns {Promise<import('../types').RunnerReach[]>}
 */
async function reach(env, engine) {
  const stores = await profiles({ check: true, env })
  return [
    ...(env.XFER_STATE
      ? [await reached(`the state ${env.XFER_STATE}`, () => withJournals({ env }, async () => {}))]
      : []),
    ...stores.map(({ name, check, problem }) => ({ what: `the store of ${name}`, problem: problem ?? check?.message })),
    await reached('itself', () => findRunner(engine, { env })),
  ]
}

/** @param {string} what @param {() => Promise<unknown>} ask @returns {Promise<import('../types').RunnerReach>} */
async function reached(what, ask) {
  return await ask().then(
    () => ({ what }),
    cause => ({ what, problem: asXferError(cause).message }),
  )
}

module.exports = { reach }
