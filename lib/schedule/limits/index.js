'use strict'

/**
 * How much at once. Invocations in flight are as many as the smallest of these limits allows, each of which adapts by what
 * it is told, has the same three methods, and is pure: the clock and chance come in.
 *
 * - `current()`: invocations at once, from now on;
 * - `answered({ nowMs, … })`: something was done. Toward the platform and a store the limit may rise;
 * - `refused({ nowMs, others, … })`: it was too much, while `others` were under way. The limit falls.
 *
 * | limit | of | falls | rises |
 * | --- | --- | --- | --- |
 * | `createPlatformLimit` | the platform | by three tenths of what was under way; by one where it was near what is allowed | by the clock, on the curve of CUBIC |
 * | `createStoreLimit` | a store | by three tenths of what it bore | by a twentieth a second, and faster the longer it bears that |
 * | `createNetworkLimit` | the network and this machine, which refuse nothing | where fewer do as well | where more move clearly more bytes |
 *
 * `createPressure` holds the limits of both stores of a job. `createQuota` limits how many start in a minute, not how many
 * there are: it has `left`, `waitMs` and `started` in place of `current` and `answered`. `backoffMs` is how long nothing starts
 * after a refusal.
 */

const { backoffMs } = require('./backoff')
const { beginWith, createMeter, createNetworkLimit } = require('./network-limit')
const { createPlatformLimit } = require('./platform-limit')
const { createPressure, refusingSide } = require('./pressure')
const { createQuota } = require('./quota')

module.exports = {
  backoffMs,
  beginWith,
  createMeter,
  createNetworkLimit,
  createPlatformLimit,
  createPressure,
  createQuota,
  refusingSide,
}
