'use strict'

/** `--engine-limits`: the platform's limits, set by a user who knows them better than the platform reports them. */

const { XferError } = require('../errors')
const { MiB, parseCount } = require('./sizes')

/** @typedef {import('../types').EngineLimits} EngineLimits */

/**
 * By the user's name for a limit: the limit that it sets, its unit, and the largest value.
 *
 * @type {Record<string, { limit: keyof EngineLimits, unit: number, most: number }>}
 */
const KEYS = {
  concurrent: { limit: 'concurrent', unit: 1, most: 100_000 },
  'per-minute': { limit: 'perMinute', unit: 1, most: 10_000_000 },
  timeout: { limit: 'timeoutMs', unit: 1000, most: 86_400 },
  memory: { limit: 'memoryBytes', unit: MiB, most: 1_000_000 },
  payload: { limit: 'payloadBytes', unit: MiB, most: 1024 },
}

/**
 * @param {string} text `concurrent=30,per-minute=60,timeout=60,memory=256,payload=1`: invocations in
 *   flight, invocations in a calendar minute, seconds, MB, MiB; each of them may be left out
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
    const { limit, unit, most } = KEYS[name]
    if (limits[limit] !== undefined) {
      throw new XferError('USAGE', {
        text: `--engine-limits "${text}" names ${name} twice.`,
        advice: 'Leave one of the two out.',
      })
    }
    limits[limit] = unit * parseCount(value, `--engine-limits ${name}`, { least: 1, most })
  }
  return limits
}

module.exports = { parseEngineLimits }
