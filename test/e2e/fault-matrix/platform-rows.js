'use strict'

/** What a platform can do to a copy. */

const ALL = ['invoke', 'actions', 'limits', 'info', 'activations']
/** What is answered at once: no invocation. */
const WORN_OUT = {
  PART_FAILED: 5,
  PLATFORM_ERROR: 5,
  PLATFORM_UNREACHABLE: 5,
  PLATFORM_THROTTLED: 5,
  NOT_A_PLATFORM: 5,
  ACTIVATION_LOST: 5,
}
const SHORT_SILENCE = ['--io-timeout', '2']

/** @type {import('../fault-matrix').Row[]} */
module.exports = [
  {
    it: 'a stale connection: cut before anything is done',
    fault: 'cut',
    rule: { cut: true },
    meets: ALL,
    many: WORN_OUT,
  },
  { it: '500', fault: 'status', rule: { status: 500 }, meets: ALL, many: WORN_OUT },
  { it: '503 with Retry-After', fault: 'status', rule: { status: 503, retryAfter: 1 }, meets: ALL },
  { it: '429: too many in flight', fault: 'status', rule: { status: 429, throttle: 'concurrent' }, meets: ['invoke'] },
  {
    it: '429 of a gateway, in words of its own',
    fault: 'status',
    rule: { status: 429, message: 'Slow down.' },
    meets: ALL,
  },
  {
    it: '429: too many this minute',
    fault: 'status',
    rule: { status: 429, throttle: 'rate' },
    meets: ['invoke'],
    // Until the next calendar minute, each time.
    boundMs: 400_000,
    slow: true,
  },
  {
    it: '401: the key is withdrawn',
    fault: 'status',
    rule: { status: 401 },
    meets: ['invoke', 'actions'],
    once: { PLATFORM_KEY_REFUSED: 5 },
    many: { PLATFORM_KEY_REFUSED: 5 },
  },
  { it: 'a pause before every answer', fault: 'delayMs', rule: { delayMs: 500 }, meets: ALL },
  { it: 'the work is done, and its answer lost', fault: 'lose', rule: { lose: true }, meets: ALL, many: WORN_OUT },
  { it: 'an answer is cut in its middle', fault: 'cutAnswer', rule: { cutAnswer: true }, meets: ALL, many: WORN_OUT },
  {
    it: 'a question is never answered',
    fault: 'silent',
    rule: { silent: true },
    meets: ['actions', 'limits', 'info'],
    flags: SHORT_SILENCE,
    many: WORN_OUT,
  },
  {
    it: 'an invocation is never answered',
    fault: 'silent',
    rule: { silent: true },
    meets: ['invoke'],
    boundMs: 500_000,
    slow: true,
    many: WORN_OUT,
  },
  { it: '202', fault: 'accepted', rule: { accepted: true }, meets: ['invoke'] },
  {
    it: '202, and the record is late',
    fault: 'recordLateMs',
    rule: { accepted: true, recordLateMs: 1_500 },
    meets: ['invoke'],
  },
  {
    it: '202, and the record never appears',
    fault: 'recordNever',
    rule: { accepted: true, recordNever: true },
    meets: ['invoke'],
    actionTimeoutMs: 5_000,
    boundMs: 1_200_000,
    slow: true,
    many: WORN_OUT,
  },
  {
    it: 'the container is killed at work',
    fault: 'killAfterMs',
    rule: { killAfterMs: 0 },
    meets: ['invoke'],
    many: WORN_OUT,
  },
  ...['exit', 'memory', 'time'].map(death => ({
    it: `the container ends when its work is done (${death})`,
    fault: 'death',
    rule: { death },
    meets: ['invoke'],
    many: WORN_OUT,
  })),
  {
    it: 'the container dies, and the same activation runs again',
    fault: 'rerun',
    rule: { rerun: true },
    meets: ['invoke'],
  },
  {
    it: 'the container dies while it loads the action',
    fault: 'dieLoading',
    rule: { dieLoading: true },
    meets: ['invoke'],
    actionTimeoutMs: 6_000,
    many: WORN_OUT,
  },
  ...['starting', 'twice'].map(unready => ({
    it: `the container is asked at the wrong moment (${unready})`,
    fault: 'unready',
    rule: { unready },
    meets: ['invoke'],
  })),
  {
    it: 'the answer is none of the action',
    fault: 'answer',
    rule: { answer: { body: { version: 2, outcomes: [] } } },
    meets: ['invoke'],
    once: { ACTION_VERSION: 5 },
  },
  {
    it: 'the action fails when its work is done',
    fault: 'answer',
    rule: { answer: { status: 502, body: { error: 'boom' } } },
    meets: ['invoke'],
    many: WORN_OUT,
  },
  {
    it: 'half of an answer, as if it were all',
    fault: 'truncate',
    rule: { truncate: true },
    meets: ALL,
    once: ({ moment }) => (moment === 'first request' ? { NOT_A_PLATFORM: 5 } : {}),
    many: WORN_OUT,
  },
]
