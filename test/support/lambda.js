'use strict'

const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { zipSync } = require('fflate')
const { startLambda } = require('../../sandbox/lambda')
const { clientOf, createFunction } = require('../sandbox/lambda/target')

const ACTION = join(__dirname, '..', '..', 'actions', 'copy-range')

/** @typedef {Awaited<ReturnType<typeof startFunction>>} Lambda */

/** @param {string} folder @returns {Record<string, Uint8Array>} its files, by their paths */
function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(paths.map(path => [path.slice(folder.length + 1), readFileSync(path)]))
}

/**
 * Lambda in this process, with the function `xfer-copy-range` on it.
 *
 * @param {{ code?: string, configuration?: object } & import('../../sandbox/lambda/types').LambdaOptions} [options] code: of
 *   index.js, in place of the action; configuration: of CreateFunction
 */
async function startFunction({ code, configuration, ...options } = {}) {
  const service = await startLambda({ pendingMs: 0, ...options })
  const client = clientOf(service)
  const action = code === undefined && { Code: { ZipFile: zipSync(filesOf(ACTION)) } }
  const settings = { FunctionName: 'xfer-copy-range', Timeout: 60, MemorySize: 256, ...action, ...configuration }
  try {
    await createFunction(client, code ?? '', settings)
  } catch (error) {
    await service.close()
    throw error
  } finally {
    client.destroy()
  }
  return Object.assign(service, { env: { ...lambdaEnv(service), XFER_LAMBDA_FUNCTION: 'xfer-copy-range' } })
}

/** In which the engine is configured. @param {{ endpoint: string, region: string, accessKeyId: string, secretAccessKey: string }} service */
function lambdaEnv({ endpoint, region, accessKeyId, secretAccessKey }) {
  const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
  return { HOME: __dirname, AWS_ENDPOINT_URL_LAMBDA: endpoint, AWS_REGION: region, ...keys }
}

module.exports = { lambdaEnv, startFunction }
