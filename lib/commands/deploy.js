'use strict'

/** The function on the platform: put there, brought up to date, taken away. */

const onPlatform = require('../engines/openwhisk/deploy')
const { checkOptionNames, readerOf } = require('../options')

/** @typedef {import('../types').DeployOptions} DeployOptions */

/**
 * @param {DeployOptions} [options]
 * @returns {ReturnType<typeof onPlatform.deploy>}
 * @throws {import('../types').XferError} USAGE, BAD_MANIFEST, NO_PLATFORM, and what a platform answers
 */
async function deploy(options = {}) {
  checkOptionNames('deploy', options)
  const read = readerOf('deploy', options)
  const { memory, timeout, allowHosts, ...rest } = options
  return await onPlatform.deploy({
    ...rest,
    memory: read('memory'),
    timeout: read('timeout'),
    allowHosts: read('allowHosts'),
  })
}

/**
 * @param {DeployOptions} [options]
 * @returns {ReturnType<typeof onPlatform.undeploy>}
 * @throws {import('../types').XferError} as deploy
 */
async function undeploy(options = {}) {
  checkOptionNames('undeploy', options)
  const { memory, timeout, allowHosts, ...rest } = options
  return await onPlatform.undeploy(rest)
}

module.exports = { deploy, undeploy }
