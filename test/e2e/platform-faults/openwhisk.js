'use strict'

/** What OpenWhisk answers, how its activations end, and what does not pass. */

/** The copy is right, and no part was written twice. */
const ONCE = { exit: 0, again: 0 }

/** @type {import('./run').Row[]} */
module.exports = [
  // Too much for the platform.
  {
    it: '429: too many this minute, for somebody else has used up most of it',
    platform: { limits: { perMinute: 8 } },
    spent: 6,
    ...ONCE,
    // It costs no part one of its attempts.
    retries: 0,
    throttles: 1,
    met: ['PLATFORM_THROTTLED'],
    boundMs: 60_000,
  },
  // Answers that are late, lost, broken or wrong: what was done is found at the destination, or in the activation's record.
  {
    // The destination is asked before the record is given up.
    it: '202, and the record never appears',
    limits: { timeout: 10_000 },
    faults: [{ nth: 2, accepted: true, recordNever: true }],
    ...ONCE,
    met: [],
  },
  {
    it: 'the answer is lost: the connection ends when the action has run',
    faults: [{ nth: 2, lose: true }],
    ...ONCE,
    met: ['PLATFORM_UNREACHABLE'],
    retries: 1,
  },
  // Activations that come to nothing, with their work done or in the middle of it.
  {
    it: 'the container is killed at work',
    faults: [{ nth: [2, 4], killAfterMs: 0 }],
    exit: 0,
    met: ['ACTIVATION_EXITED'],
    retries: 2,
  },
  {
    it: 'the container dies when the work is done, and the platform runs the same activation again',
    faults: [{ nth: 2, rerun: true }],
    exit: 0,
    again: 1,
    retries: 0,
  },
  // What does not pass.
  {
    it: 'its deployment does not allow the stores',
    platform: { deployment: { allowHosts: '*.example.org,10.0.0.0/8' } },
    exit: 4,
    code: 'ADDRESS_REFUSED',
    says: /because it is none of the hosts that the deployment allows/,
    advises: 'xfer deploy --allow-hosts',
    met: [],
  },
]
