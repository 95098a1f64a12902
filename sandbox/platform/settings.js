'use strict'

const { randomBytes, randomUUID } = require('node:crypto')

/** @import { Limits, PlatformOptions, Settings } from './types' */

const MIB = 1024 * 1024

/** @type {Limits} Upstream: common/scala application.conf, and core/standalone standalone.conf for the two throttles. */
const LIMITS = {
  concurrent: 30,
  perMinute: 60,
  timeoutMs: { min: 100, max: 300_000, default: 60_000 },
  memoryMB: { min: 128, max: 512, default: 256 },
  logsMB: { min: 0, max: 10, default: 10 },
  perContainer: { min: 1, max: 1, default: 1 },
  payloadBytes: MIB,
  codeBytes: 48 * MIB,
  bodyBytes: 50 * MIB,
}

/**
 * @param {PlatformOptions['limits']} given
 * @returns {Limits}
 */
function resolveLimits(given = {}) {
  return {
    ...LIMITS,
    ...given,
    timeoutMs: { ...LIMITS.timeoutMs, ...given.timeoutMs },
    memoryMB: { ...LIMITS.memoryMB, ...given.memoryMB },
    logsMB: { ...LIMITS.logsMB, ...given.logsMB },
    perContainer: { ...LIMITS.perContainer, ...given.perContainer },
  }
}

const KNOWN = new Set([
  'host',
  'port',
  'auth',
  'namespace',
  'limits',
  'containers',
  'blockingMs',
  'requestMs',
  'keepAliveMs',
  'coldStartMs',
  'completionMs',
  'pauseGraceMs',
  'idleMs',
  'exitWaitMs',
  'logWaitMs',
  'records',
  'memoryCheckMs',
  'clock',
  'clockSkewMs',
  'runtimes',
  'node',
  'env',
  'file',
  'faults',
  'containerFactory',
])

/**
 * The platform's settings: the given options over upstream's defaults. An unknown option is refused: with a misspelt limit
 * a test would prove nothing.
 *
 * @param {PlatformOptions} [options] see `startPlatform`
 * @returns {Settings}
 * @throws {TypeError} for an option or a limit that does not exist, or an `auth` that is not `uuid:key`
 */
function resolveSettings(options = {}) {
  for (const name of Object.keys(options)) if (!KNOWN.has(name)) throw new TypeError(`unknown platform option: ${name}`)
  for (const name of Object.keys(options.limits ?? {})) {
    if (!(name in LIMITS)) throw new TypeError(`unknown platform limit: ${name}`)
  }
  const { clockSkewMs = 0 } = options
  const auth = options.auth ?? `${randomUUID()}:${randomBytes(32).toString('hex')}`
  if (!auth.includes(':')) throw new TypeError('auth must be uuid:key')
  return {
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    auth,
    namespace: options.namespace ?? 'guest',
    limits: resolveLimits(options.limits),
    containers: options.containers ?? 8,
    blockingMs: options.blockingMs ?? 60_000,
    requestMs: options.requestMs ?? 65_000,
    keepAliveMs: options.keepAliveMs ?? 70_000,
    coldStartMs: options.coldStartMs ?? 0,
    completionMs: options.completionMs ?? 0,
    pauseGraceMs: options.pauseGraceMs ?? 10_000,
    idleMs: options.idleMs ?? 600_000,
    exitWaitMs: options.exitWaitMs ?? 500,
    logWaitMs: options.logWaitMs ?? 2_000,
    records: options.records ?? 10_000,
    memoryCheckMs: options.memoryCheckMs ?? 100,
    clock: options.clock ?? (() => Date.now() + clockSkewMs),
    runtimes: options.runtimes ?? ['nodejs:20', 'nodejs:18'],
    node: options.node ?? process.execPath,
    env: options.env ?? {},
    file: options.file,
    faults: options.faults ?? [],
    containerFactory: options.containerFactory,
  }
}

module.exports = { resolveSettings }
