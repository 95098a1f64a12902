'use strict'

const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startPlatform } = require('../../sandbox/platform')
const { deploy } = require('../../lib')

/** Without any configuration: it does not exist. */
const HOME = join(tmpdir(), 'xfer-test-no-home')

/**
 * A local OpenWhisk platform with the action on it, in this process.
 *
 * @param {import('../../sandbox/platform/types').PlatformOptions & { deployment?: object }} [options] deployment: what `deploy` takes
 */
async function startDeployed({ limits, deployment, ...options } = {}) {
  const platform = await startPlatform({ containers: 2, limits: { perMinute: 100_000, ...limits }, ...options })
  try {
    await deploy({ env: { HOME, APIHOST: platform.apihost, AUTH: platform.auth }, ...deployment })
  } catch (error) {
    await platform.close()
    throw error
  }
  return platform
}

module.exports = { startDeployed }
