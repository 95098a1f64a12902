'use strict'

/**
 * A lower bound of the time: what any scheduler needs, even if it knew every container and connection beforehand and nothing
 * failed. As many functions run at once as the platform and the client allow (and as the quota per minute can keep busy,
 * with calls of the longest allowed duration). Each function is the container that the seed gives it, from its own cold start
 * on, no sooner than the platform's ramp starts it. It moves bytes with its full bandwidth, its burst first, except
 * in the moments between two calls of the longest duration. A part is not
 * shared between functions, so only complete parts of a function count, and a part takes at least the time that one
 * connection needs. The bound is the first moment at which these add up to all parts.
 */

const { bandwidthOf, coldStartMs } = require('./containers')

/**
 * @param {object} work
 * @param {import('../../lib/types').Part[]} work.parts
 * @param {number} work.concurrency
 * @param {import('../../lib/types').EngineLimits} work.limits
 * @param {import('./model').Model} work.model
 * @param {import('./draws').Draw} work.draw
 * @returns {number} milliseconds
 */
function leastMs({ parts, concurrency, limits, model, draw }) {
  const kept = (limits.perMinute * limits.timeoutMs) / 60_000
  const functions = Math.max(1, Math.floor(Math.min(concurrency, limits.concurrent, kept)))
  const betweenMs = model.roundTripMs + model.start.warm.mean + model.releaseMs.least
  const busy = limits.timeoutMs / (limits.timeoutMs + betweenMs)
  const partBytes = parts[0].bytes
  const totalBytes = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  // The last part may be small.
  const wholeParts = Math.floor(totalBytes / partBytes)
  const connectionPerMs = model.connectionBytes.mean / 1000
  const known = Array.from({ length: functions }, (_, i) => ({
    startMs: model.roundTripMs + coldStartMs(i + 1, draw, model) + waitMs(i, limits.ramp),
    perMs: bandwidthOf(i + 1, draw, model) * busy,
  }))

  /** Whether all parts can be done by that time. @param {number} ms */
  const enough = ms => {
    if (ms * (model.storeBytes / 1000) < totalBytes) return false
    let done = 0
    for (const { startMs, perMs } of known) {
      const movingMs = ms - startMs
      const burst = Math.max(0, Math.min(model.burst.bytes, movingMs * perMs * (model.burst.times - 1)))
      if (movingMs * connectionPerMs >= partBytes && movingMs * perMs + burst >= partBytes) {
        done += Math.floor((movingMs * perMs + burst) / partBytes)
      }
    }
    return done >= wholeParts
  }
  let least = 0
  let most = 1_000
  while (!enough(most)) most *= 2
  while (most - least > 1) {
    const middle = (least + most) / 2
    if (enough(middle)) most = middle
    else least = middle
  }
  return most
}

/** When the platform may start its container of this index, from 0. @param {number} index @param {import('../../lib/types').Ramp} [ramp] */
function waitMs(index, ramp) {
  return ramp ? (1000 * Math.max(0, index + 1 - ramp.atOnce)) / ramp.perSecond : 0
}

module.exports = { leastMs }
