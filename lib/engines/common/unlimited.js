'use strict'

/** Limits of an engine without a platform, except the concurrency. @type {Omit<import('../../types').EngineLimits, 'concurrent'>} */
const UNLIMITED = {
  perMinute: Number.POSITIVE_INFINITY,
  timeoutMs: Number.POSITIVE_INFINITY,
  answerMs: Number.POSITIVE_INFINITY,
  memoryBytes: Number.POSITIVE_INFINITY,
  payloadBytes: Number.POSITIVE_INFINITY,
  skewMs: 0,
}

module.exports = { UNLIMITED }
