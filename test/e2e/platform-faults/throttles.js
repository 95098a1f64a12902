'use strict'

/** Too much for the platform: nothing of it costs a part one of its attempts. */

const COPIED = { exit: 0, again: 0, retries: 0, throttles: 1, met: ['PLATFORM_THROTTLED'] }

/** @type {import('../platform-faults').Row[]} */
module.exports = [
  {
    it: '429: too many this minute, for somebody else has used up most of it',
    platform: { limits: { perMinute: 8 } },
    spent: 6,
    ...COPIED,
    boundMs: 60_000,
  },
  {
    it: '429: too many this minute, on a platform that tells no limits',
    platform: { limits: { perMinute: 4 } },
    faults: [
      { on: 'limits', status: 404 },
      { on: 'info', status: 404 },
    ],
    spent: 0,
    ...COPIED,
    boundMs: 60_000,
  },
  {
    it: '429: too many in flight, for places are freed only after the answer',
    platform: { limits: { concurrent: 2 }, completionMs: 1_000 },
    ...COPIED,
  },
  { it: '503', faults: [{ nth: [1, 3], status: 503 }], ...COPIED },
  { it: '503 to the first questions', faults: [{ on: 'actions', first: 1, status: 503 }], exit: 0, again: 0 },
]
