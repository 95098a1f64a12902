'use strict'

/** Creates, updates and removes the function on the platform. The engine that runs the function does the work. */

const { findFactory } = require('../engines')
const { checkArguments, readerOf } = require('../options')

/** @typedef {import('../types').DeployOptions} DeployOptions */
/** @typedef {import('../engines/contract').EngineFactory} EngineFactory */

/**
 * @param {DeployOptions} [options]
 * @returns {Promise<import('../types').Deployed>}
 * @throws {import('../types').XferError} USAGE, NO_PLATFORM, and the platform's errors
 */
async function deploy(options = {}) {
  checkArguments('deploy', {}, options)
  const read = /** @type {(name: string) => unknown} */ (readerOf('deploy', options))
  const factory = await deployer(options)
  const own = factory.options.filter(({ commands, only }) => commands?.includes('deploy') && only !== 'cli')
  const what = options.runner ? factory.runner : factory
  return await what.deploy({ ...options, ...Object.fromEntries(own.map(({ name }) => [name, read(name)])) })
}

/**
 * @param {DeployOptions} [options]
 * @returns {Promise<import('../types').Undeployed>}
 * @throws {import('../types').XferError} as in `deploy`
 */
async function undeploy(options = {}) {
  checkArguments('undeploy', {}, options)
  const factory = await deployer(options)
  return await (options.runner ? factory.runner : factory).undeploy(options)
}

/** @param {DeployOptions} options */
async function deployer(options) {
  const engine = readerOf('deploy', options)('engine')
  const factory = await findFactory('deploy', { ...options, engine }, options.env ?? process.env)
  return /** @type {EngineFactory & Required<Pick<EngineFactory, 'deploy' | 'undeploy' | 'runner'>>} */ (factory)
}

module.exports = { deploy, undeploy }
