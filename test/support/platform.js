'use strict'

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startPlatform } = require('../../sandbox/platform')
const { deploy } = require('../../lib')

/**
 * A local OpenWhisk platform with the action on it, in this process.
 *
 * @param {import('../../sandbox/platform/types').PlatformOptions & { deployment?: object }} [options] deployment: what `deploy` takes
 */
async function startDeployed({ limits, deployment, ...options } = {}) {
  const platform = await startPlatform({ containers: 2, limits: { perMinute: 100_000, ...limits }, ...options })
  const home = await mkdtemp(join(tmpdir(), 'xfer-deploy-'))
  try {
    await deploy({ env: { HOME: home, APIHOST: platform.apihost, AUTH: platform.auth }, ...deployment })
  } catch (error) {
    await platform.close()
    throw error
  } finally {
    await rm(home, { recursive: true, force: true })
  }
  return platform
}

module.exports = { startDeployed }
