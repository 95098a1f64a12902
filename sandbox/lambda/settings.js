'use strict'

const { randomBytes } = require('node:crypto')
const { withDefaults } = require('../common/options')
const { createCallFaults } = require('../common/rules')

/** @import { LambdaOptions, Settings } from './types' */

/** Of a fault, beside what every platform has; see types.d.ts. */
const FAULT_FIELDS = ['code', 'reason', 'retryAfter']

/** @param {import('./types').Fault[]} initial */
const createFaults = initial => createCallFaults('Invoke', FAULT_FIELDS, initial)

/**
 * The service's settings: the given options over AWS's defaults.
 *
 * @param {LambdaOptions} [options] see types.d.ts
 * @returns {Settings}
 * @throws {TypeError} for an option that does not exist
 */
function resolveSettings(options = {}) {
  const defaults = {
    port: 0,
    region: 'us-east-1',
    accessKeyId: `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64'),
    concurrent: 1000,
    processes: 16,
    pendingMs: 300,
    clock: Date.now,
    faults: [],
  }
  return withDefaults('Lambda', defaults, options)
}

module.exports = { createFaults, resolveSettings }
