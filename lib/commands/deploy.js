'use strict'

/** Creates, updates and removes the function on the platform. The engine that runs the function does the work. */

const { findFactory } = require('../engines')
const { checkOptionNames, readerOf } = require('../options')

/** @typedef {import('../types').DeployOptions} DeployOptions */
/** @typedef {import('../engines/contract').EngineFactory} EngineFactory */

/**
 * @param {DeployOptions} [options]
 * @returns {Promise<import('../types').Deployed>}
 * @throws {import('../types').XferError} USAGE, BAD_MANIFEST, the engine's if it is not configured, and the platform's errors
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
 * @throws {import('../types').XferError} as in `deploy`
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
