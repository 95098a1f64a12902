'use strict'

const { randomBytes, randomUUID } = require('node:crypto')
const { withDefaults } = require('../common/options')
const { createRules } = require('../common/rules')

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

/** Of a fault; see types.d.ts. */
const FAULT_FIELDS = [
  ...'on nth first probability seed cut status message lose cutAnswer silent accepted recordNever'.split(' '),
  ...'killAfterMs death rerun dieLoading unready answer truncate'.split(' '),
]

/** @param {import('./types').Fault[]} initial */
function createFaults(initial) {
  /** @param {import('./types').Fault} fault @param {import('./types').FaultTarget} target */
  const fits = (fault, target) => (fault.on ?? 'invoke') === target
  return createRules({ fields: FAULT_FIELDS, fits }, initial)
}

/**
 * The platform's settings: the given options over upstream's defaults.
 *
 * @param {PlatformOptions} [options] see types.d.ts
 * @returns {Settings}
 * @throws {TypeError} for an option or a limit that does not exist
 */
function resolveSettings({ limits = {}, clockSkewMs = 0, ...options } = {}) {
  const chosen = withDefaults("a platform's limits", LIMITS, limits)
  for (const name of /** @type {const} */ (['timeoutMs', 'memoryMB']))
    chosen[name] = { ...LIMITS[name], ...chosen[name] }
  const defaults = {
    host: '127.0.0.1',
    port: 0,
    auth: `${randomUUID()}:${randomBytes(32).toString('hex')}`,
    namespace: 'guest',
    containers: 8,
    completionMs: 0,
    clock: () => Date.now() + clockSkewMs,
    file: undefined,
    faults: [],
  }
  return { ...withDefaults('a platform', defaults, options), limits: chosen }
}

module.exports = { createFaults, resolveSettings }
