'use strict'

/** The function on the platform: put there, brought up to date, taken away. The engine that runs it knows how. */

const { findFactory } = require('../engines')
const { checkOptionNames, readerOf } = require('../options')

/** @typedef {import('../types').DeployOptions} DeployOptions */
/** @typedef {import('../engines/contract').EngineFactory} EngineFactory */

/**
 * @param {DeployOptions} [options]
 * @returns {Promise<import('../types').Deployed>}
 * @throws {import('../types').XferError} USAGE, BAD_MANIFEST, the engine's where it is not configured, and what a platform answers
 */
async function deploy(options = {}) {
  checkOptionNames('deploy', options)
  const read = readerOf('deploy', options)
  const chosen = { memory: read('memory'), timeout: read('timeout'), allowHosts: read('allowHosts') }
  const factory = await deployer(options)
  return await factory.deploy({ ...options, ...chosen })
}

/**
 * @param {DeployOptions} [options]
 * @returns {Promise<import('../types').Undeployed>}
 * @throws {import('../types').XferError} as deploy
 */
async function undeploy(options = {}) {
  checkOptionNames('undeploy', options)
  const factory = await deployer(options)
  return await factory.undeploy(options)
}

/** @param {DeployOptions} options */
async function deployer(options) {
  const factory = await findFactory('deploy', options, options.env ?? process.env)
  return /** @type {EngineFactory & Required<Pick<EngineFactory, 'deploy' | 'undeploy'>>} */ (factory)
}

module.exports = { deploy, undeploy }
