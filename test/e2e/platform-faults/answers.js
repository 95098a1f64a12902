'use strict'

/**
 * Answers that are late, lost, broken or wrong: what of the work was done is found at the destination, or in the
 * activation's record, and is not done again.
 */

const COPIED = { exit: 0, again: 0 }

/** @type {import('../platform-faults').Row[]} */
module.exports = [
  { it: '500', faults: [{ nth: [1, 3], status: 500 }], ...COPIED, met: ['PLATFORM_ERROR'], retries: 2 },
  { it: '202', faults: [{ accepted: true }], ...COPIED, met: [] },
  {
    it: '202 of a platform that answers every call so, while its action still runs',
    platform: { blockingMs: 1 },
    ...COPIED,
    met: [],
  },
  {
    it: '202, and the record never appears',
    limits: { timeout: 10_000 },
    faults: [{ nth: 2, accepted: true, recordNever: true }],
    ...COPIED,
    met: ['ACTIVATION_LOST'],
    boundMs: 260_000,
  },
  {
    it: 'the answer is lost: the connection ends when the action has run',
    faults: [{ nth: 2, lose: true }],
    ...COPIED,
    met: ['PLATFORM_UNREACHABLE'],
    retries: 1,
  },
  {
    it: 'the call is never answered',
    faults: [{ nth: 2, silent: true }],
    ...COPIED,
    met: ['PLATFORM_UNREACHABLE'],
    boundMs: 180_000,
  },
  {
    it: 'a kept connection is stale: it ends before anything was done',
    faults: [{ nth: [2, 4], cut: true }],
    ...COPIED,
    met: ['PLATFORM_UNREACHABLE'],
    retries: 2,
  },
  { it: 'truncated JSON', faults: [{ nth: 2, truncate: true }], ...COPIED, met: [] },
  {
    it: 'a request that outlives the limit of the server',
    platform: { requestMs: 6_000 },
    faults: [{ nth: 2, delayMs: 7_000 }],
    ...COPIED,
    // On a busy machine others outlive it too.
    met: ['PLATFORM_ERROR'],
  },
]
