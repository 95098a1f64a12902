'use strict'

/**
 * The limits of what is in flight, and of what starts. Each is pure: the clock and randomness are arguments.
 *
 * | limit | of | falls | rises |
 * | --- | --- | --- | --- |
 * | `createAdaptiveLimit` | the platform, or a store | by three tenths of what was accepted; by one near the maximum that the platform tells | by a twentieth per second, faster the longer all is accepted |
 * | `createNetworkLimit` | the network and this machine, which never refuse | if fewer move as many bytes | if more move clearly more bytes |
 *
 * `createPressure` holds the limits of both stores of a job. `createQuota` limits how many start in a minute, not how many
 * there are, and `createRamp` holds back those for which the platform could not start an environment yet. `createHoldings`
 * accounts for the user's bandwidth. `backoffMs` is how long nothing starts after a refusal.
 */

module.exports = {
  ...require('./adaptive-limit'),
  ...require('./bandwidth'),
  ...require('./network-limit'),
  ...require('./pressure'),
  ...require('./quota'),
}
