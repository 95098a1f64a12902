'use strict'

const { RUNTIMES } = require('./entities-api')

/** @import { Settings } from './types' */

/**
 * The answer to `GET /`, without authentication: limits, and runtimes, of which wskdeploy takes its list from here.
 * Upstream: core/controller Controller.scala info.
 *
 * @param {Settings} settings
 */
function systemInfo({ limits: { concurrent, perMinute } }) {
  return {
    description: 'OpenWhisk',
    api_paths: ['/api/v1'],
    limits: {
      actions_per_minute: perMinute,
      concurrent_actions: concurrent,
    },
    runtimes: { nodejs: RUNTIMES.map((kind, index) => ({ kind, deprecated: false, default: index === 0 })) },
  }
}

/** The answer to `GET /api/v1`. Upstream: core/controller RestAPIs.scala. */
function apiInfo() {
  return { description: 'OpenWhisk API', api_version: '1.0.0', api_version_path: 'v1', build: 'xfer sandbox' }
}

/**
 * The namespace's own limits. Upstream: core/controller Limits.scala, entity/Identity.scala UserLimits.
 *
 * @param {Settings} settings
 */
function namespaceLimits({ limits }) {
  return {
    invocationsPerMinute: limits.perMinute,
    concurrentInvocations: limits.concurrent,
    maxActionMemory: limits.memoryMB.max,
    maxActionTimeout: limits.timeoutMs.max,
    maxPayloadSize: `${limits.payloadBytes} B`,
  }
}

module.exports = { apiInfo, namespaceLimits, systemInfo }
