'use strict'

const { RUNTIMES } = require('./entities-api')

/** @import { Settings } from './types' */

const MIB = 1024 * 1024

/**
 * The answer to `GET /`, without authentication: limits (milliseconds, and memory and logs in bytes) and runtimes. wskdeploy takes its list of runtimes
 * from here. Upstream: core/controller Controller.scala info.
 *
 * @param {Settings} settings
 */
function systemInfo({ limits }) {
  const { concurrent, logsMB, memoryMB, perMinute, timeoutMs } = limits
  return {
    description: 'OpenWhisk',
    api_paths: ['/api/v1'],
    limits: {
      actions_per_minute: perMinute,
      triggers_per_minute: perMinute,
      concurrent_actions: concurrent,
      sequence_length: 50,
      min_action_duration: timeoutMs.min,
      max_action_duration: timeoutMs.max,
      min_action_memory: memoryMB.min * MIB,
      max_action_memory: memoryMB.max * MIB,
      min_action_logs: logsMB.min * MIB,
      max_action_logs: logsMB.max * MIB,
    },
    runtimes: {
      nodejs: RUNTIMES.map((kind, index) => ({
        kind,
        image: `openwhisk/action-${kind.replace(':', '-v')}:nightly`,
        deprecated: false,
        default: index === 0,
        attached: true,
        requireMain: false,
      })),
    },
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
    firesPerMinute: limits.perMinute,
    allowedKinds: RUNTIMES,
    storeActivations: true,
    minActionMemory: limits.memoryMB.min,
    maxActionMemory: limits.memoryMB.max,
    minActionLogs: limits.logsMB.min,
    maxActionLogs: limits.logsMB.max,
    minActionTimeout: limits.timeoutMs.min,
    maxActionTimeout: limits.timeoutMs.max,
    minActionConcurrency: limits.perContainer.min,
    maxActionConcurrency: limits.perContainer.max,
    maxParameterSize: `${limits.payloadBytes} B`,
    maxPayloadSize: `${limits.payloadBytes} B`,
  }
}

module.exports = { apiInfo, namespaceLimits, systemInfo }
