'use strict'

/**
 * The concurrency limits. The smallest of them bounds the invocations in flight. Each adapts to answers and refusals, has the
 * same three methods, and is pure: the clock and randomness are arguments.
 *
 * - `current()`: invocations at once, from now on;
 * - `answered({ nowMs, … })`: something succeeded. The limit may rise;
 * - `refused({ nowMs, others, … })`: throttled, while `others` were in flight. The limit falls.
 *
 * | limit | of | falls | rises |
 * | --- | --- | --- | --- |
 * | `createPlatformLimit` | the platform | by three tenths of what was in flight; by one near the allowed maximum | by the clock, on the curve of CUBIC |
 * | `createStoreLimit` | a store | by three tenths of what it accepted | by a twentieth per second, faster the longer it accepts all |
 * | `createNetworkLimit` | the network and this machine, which never refuse | if fewer move as many bytes | if more move clearly more bytes |
 *
 * `createPressure` holds the limits of both stores of a job. `createQuota` limits how many start in a minute, not how many
 * there are: it has `left`, `waitMs` and `started` in place of `current` and `answered`. `createBandwidth` shares the user's
 * bandwidth among those in flight, and `createInFlight` limits their bytes. `createRamp` holds back those for which the platform
 * could not start an environment yet. `backoffMs` is how long nothing starts after a
 * refusal.
 */

const { backoffMs } = require('./store-limit')
const { createBandwidth, createInFlight } = require('./bandwidth')
const { beginWith, createMeter, createNetworkLimit } = require('./network-limit')
const { createPlatformLimit } = require('./platform-limit')
const { createPressure, refusingSide } = require('./pressure')
const { createQuota, createRamp } = require('./quota')

module.exports = {
  backoffMs,
  beginWith,
  createBandwidth,
  createInFlight,
  createMeter,
  createNetworkLimit,
  createPlatformLimit,
  createPressure,
  createQuota,
  createRamp,
  refusingSide,
}
