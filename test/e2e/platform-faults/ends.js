'use strict'

/** Activations that come to nothing, once or for some parts: with their work done, and in the middle of it. */

const COPIED = { exit: 0 }
const DONE = { ...COPIED, again: 0, retries: 1 }
const TOO_LARGE = { body: { version: 2, outcomes: 'x'.repeat(1024 ** 2) } }

/** @type {import('../platform-faults').Row[]} */
module.exports = [
  {
    it: '502: the action throws (developer error), its work done',
    faults: [{ nth: 2, answer: { status: 502, body: { error: 'An error has occurred: Error: boom' } } }],
    ...DONE,
    met: ['ACTIVATION_FAILED'],
  },
  {
    it: '502: the response is too large, the work done',
    faults: [{ nth: 2, answer: TOO_LARGE }],
    ...DONE,
    met: ['PAYLOAD_TOO_LARGE'],
  },
  {
    it: 'the container is killed at work',
    faults: [{ nth: [2, 4], killAfterMs: 0 }],
    ...COPIED,
    met: ['ACTIVATION_EXITED'],
    retries: 2,
  },
  {
    it: 'out of memory at work',
    faults: [{ nth: 2, killAfterMs: 0, death: 'memory' }],
    ...COPIED,
    met: ['ACTIVATION_OUT_OF_MEMORY'],
    retries: 1,
  },
  {
    it: 'the container dies when the work is done, and the platform runs the same activation again',
    faults: [{ nth: 2, rerun: true }],
    ...COPIED,
    again: 1,
    retries: 0,
  },
  {
    it: 'the container dies while it loads the action, which shows when the time is up',
    limits: { timeout: 6_000 },
    faults: [{ nth: 2, dieLoading: true }],
    ...COPIED,
    again: 0,
    retries: 1,
    met: ['ACTION_NOT_LOADED'],
  },
  {
    it: '502: System not ready, which costs no attempt',
    flags: ['--retries', '0'],
    faults: [{ nth: [2, 3, 6], unready: 'starting' }],
    ...COPIED,
    again: 0,
    retries: 3,
    met: ['CONTAINER_NOT_READY'],
  },
]
