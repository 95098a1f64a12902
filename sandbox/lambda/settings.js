'use strict'

const { randomBytes } = require('node:crypto')
const { createRules } = require('../common/rules')

/** @import { LambdaOptions, Limits, Settings } from './types' */

const MIB = 1024 * 1024

/** @type {Limits} https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const LIMITS = {
  concurrent: 1000,
  unreserved: 100,
  ramp: 1000,
  rampMs: 10_000,
  ratePerConcurrency: 10,
  controlPerSecond: 15,
  requestBytes: 6 * MIB,
  // The response's limit is 6 MB, and some room for what is wrapped around it.
  responseBytes: 6 * MIB + 100,
  zipBytes: 50 * MIB,
  unzippedBytes: 250 * MIB,
  variableBytes: 4096,
}

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
  const { limits = {}, clockSkewMs = 0, ...given } = options
  const unknown = Object.keys(limits).find(name => !Object.hasOwn(LIMITS, name))
  if (unknown !== undefined) throw new TypeError(`unknown limit of Lambda: ${unknown}`)
  /** @type {Settings} */
  const settings = {
    host: '127.0.0.1',
    port: 0,
    region: 'us-east-1',
    accountId: '123456789012',
    accessKeyId: `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64'),
    sessionToken: undefined,
    limits: { ...LIMITS, ...limits },
    processes: 16,
    pendingMs: 300,
    initMs: 10_000,
    freezeMs: 0,
    idleMs: 600_000,
    keepAliveMs: 60_000,
    memoryCheckMs: 100,
    clock: () => Date.now() + clockSkewMs,
    runtimes: ['nodejs20.x', 'nodejs22.x', 'nodejs24.x'],
    node: process.execPath,
    env: {},
    file: undefined,
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
