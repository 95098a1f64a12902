'use strict'

const { randomBytes } = require('node:crypto')
const { createRules } = require('../common/rules')

/** @import { LambdaOptions, Settings } from './types' */

/** Of a fault; see types.d.ts. */
const FAULT_FIELDS = [
  ...'on function nth first probability seed cut status code reason message retryAfter delayMs lose cutAnswer'.split(
    ' ',
  ),
  ...'silent killAfterMs death dieLoading answer truncate'.split(' '),
]

/** @param {import('./types').Fault[]} initial */
function createFaults(initial) {
  /** @param {import('./types').Fault} fault @param {{ operation: import('./types').Operation, name: string | undefined }} call */
  function fits(fault, { operation, name }) {
    return (fault.on ?? 'Invoke') === operation && (fault.function === undefined || fault.function === name)
  }
  return createRules({ fields: FAULT_FIELDS, fits }, initial)
}

/**
 * The service's settings: the given options over AWS's defaults. An unknown option is refused: with a misspelt limit a test
 * would prove nothing.
 *
 * @param {LambdaOptions} [options] see types.d.ts
 * @returns {Settings}
 * @throws {TypeError} for an option or a limit that does not exist
 */
function resolveSettings(options = {}) {
  const { clockSkewMs = 0, ...given } = options
  /** @type {Settings} */
  const settings = {
    host: '127.0.0.1',
    port: 0,
    region: 'us-east-1',
    accountId: '123456789012',
    accessKeyId: `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64'),
    sessionToken: undefined,
    concurrent: 1000,
    processes: 16,
    pendingMs: 300,
    clock: () => Date.now() + clockSkewMs,
    runtimes: ['nodejs20.x', 'nodejs22.x', 'nodejs24.x'],
    node: process.execPath,
    env: {},
    faults: [],
    handler: undefined,
  }
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(settings, name)) throw new TypeError(`unknown option of Lambda: ${name}`)
  }
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { ...settings, ...chosen }
}

module.exports = { createFaults, resolveSettings }
