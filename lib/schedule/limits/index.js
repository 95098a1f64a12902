'use strict'

/** How much at once: limits that adapt to what the platform, the stores and the network bear. */

const { backoffMs } = require('./backoff')
const { beginWith, createClimb, createMeter } = require('./climb')
const { createLimit } = require('./limit')
const { createPressure, refusingSide } = require('./pressure')
const { createQuota } = require('./quota')

module.exports = {
  backoffMs,
  beginWith,
  createClimb,
  createLimit,
  createMeter,
  createPressure,
  createQuota,
  refusingSide,
}
