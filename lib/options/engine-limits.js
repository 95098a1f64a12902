'use strict'

/** `--engine-limits`: the platform's limits, set by a user who knows them better than the platform reports them. */

const { XferError } = require('../errors')
const { parseDuration } = require('./durations')
const { MiB, parseCount, parseSize } = require('./sizes')

/** @typedef {import('../types').EngineLimits} EngineLimits */

/** @typedef {(value: string, name: string) => number} Parser */

/** @param {number} most @returns {Parser} */
const count = most => (value, name) => parseCount(value, name, { least: 1, most })
/** @param {number} mostMiB @returns {Parser} */
const size = mostMiB => (value, name) => parseSize(value, name, { least: MiB, most: mostMiB * MiB })

/**
 * By the user's name for a limit: the limit that it sets, and how its value is read.
 *
 * @type {Record<string, { limit: Exclude<keyof EngineLimits, 'ramp'>, read: Parser }>}
 */
const KEYS = {
  concurrent: { limit: 'concurrent', read: count(100_000) },
  'per-minute': { limit: 'perMinute', read: count(10_000_000) },
  timeout: {
    limit: 'timeoutMs',
    read: (value, name) => parseDuration(value, name, { unit: 's', leastMs: 1000, mostMs: 86_400_000 }),
  },
  memory: { limit: 'memoryBytes', read: size(1_000_000) },
  payload: { limit: 'payloadBytes', read: size(1024) },
}

/**
 * @param {string} text `concurrent=30,per-minute=60,timeout=60,memory=256,payload=1`: invocations in
 *   flight, invocations in a calendar minute, seconds, MiB, MiB; the last three may have a unit; each may be left out
 * @returns {Partial<EngineLimits>}
 * @throws {XferError} USAGE
 */
function parseEngineLimits(text) {
  /** @type {Partial<EngineLimits>} */
  const limits = {}
  for (const pair of String(text).split(',')) {
    const [, name, , value] = /** @type {string[]} */ (/^\s*([^=]*?)\s*(=(.*))?$/s.exec(pair))
    const known = Object.hasOwn(KEYS, name)
    if (!known || value === undefined) {
      throw new XferError('USAGE', {
        text: `--engine-limits "${text}" ${known ? `gives ${name} no value` : `has "${name}", which is no limit that xfer knows`}.`,
        advice: 'Give it as concurrent=30,per-minute=60,timeout=60,memory=256,payload=1, or as some of these.',
      })
    }
    const { limit, read } = KEYS[name]
    if (limits[limit] !== undefined) {
      throw new XferError('USAGE', {
        text: `--engine-limits "${text}" names ${name} twice.`,
        advice: 'Leave one of the two out.',
      })
    }
    limits[limit] = read(value, `--engine-limits ${name}`)
  }
  return limits
}

module.exports = { parseEngineLimits }
