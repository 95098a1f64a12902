'use strict'

/** `--engine-limits`: what a platform allows, by those who know it better than it tells. */

const { XferError } = require('../errors')
const { MiB, parseCount } = require('./sizes')

/** @typedef {import('../types').EngineLimits} EngineLimits */

/**
 * By the name that the user gives it: where it goes, what one of it is worth, and how much of it makes sense.
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
 * @param {string} text `concurrent=30,per-minute=60,timeout=60,memory=256,payload=1`: invocations in flight and a calendar
 *   minute, seconds, MB, MiB; each of them may be left out
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
