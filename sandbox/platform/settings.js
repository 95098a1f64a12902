'use strict'

const { randomBytes, randomUUID } = require('node:crypto')
const { withDefaults } = require('../common/options')
const { createCallFaults } = require('../common/rules')

/** @import { PlatformOptions, Settings } from './types' */

const MIB = 1024 * 1024

/** @type {Settings['limits']} Upstream: common/scala application.conf, and core/standalone standalone.conf for the two throttles. */
const LIMITS = {
  concurrent: 30,
  perMinute: 60,
  timeoutMs: { min: 100, max: 300_000, default: 60_000 },
  memoryMB: { min: 128, max: 512, default: 256 },
  payloadBytes: MIB,
}

/** Of a fault, beside what every platform has; see types.d.ts. */
const FAULT_FIELDS = ['message', 'accepted', 'recordNever', 'rerun', 'dieLoading', 'unready', 'answer']

/** @param {import('./types').Fault[]} initial */
const createFaults = initial => createCallFaults('invoke', FAULT_FIELDS, initial)

/**
 * The platform's settings: the given options over upstream's defaults.
 *
 * @param {PlatformOptions} [options] see types.d.ts
 * @returns {Settings}
 * @throws {TypeError} for an option or a limit that does not exist
 */
function resolveSettings({ limits = {}, ...options } = {}) {
  const chosen = withDefaults("a platform's limits", LIMITS, limits)
  for (const name of /** @type {const} */ (['timeoutMs', 'memoryMB']))
    chosen[name] = { ...LIMITS[name], ...chosen[name] }
  const defaults = {
    port: 0,
    auth: `${randomUUID()}:${randomBytes(32).toString('hex')}`,
    namespace: 'guest',
    containers: 8,
    runtimes: ['nodejs:20', 'nodejs:18'],
    completionMs: 0,
    clock: Date.now,
    file: undefined,
    faults: [],
  }
  return { ...withDefaults('a platform', defaults, options), limits: chosen }
}

module.exports = { createFaults, resolveSettings }
