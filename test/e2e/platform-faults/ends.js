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
    it: '502: the action rejects (application error), its work done',
    faults: [{ nth: 2, answer: { body: { error: { name: 'Error', message: 'boom' } } } }],
    ...DONE,
    met: ['ACTIVATION_FAILED'],
  },
  { it: '502: it exited, its work done', faults: [{ nth: 2, death: 'exit' }], ...DONE, met: ['ACTIVATION_EXITED'] },
  {
    it: '502: out of memory, its work done',
    faults: [{ nth: 2, death: 'memory' }],
    ...DONE,
    met: ['ACTIVATION_OUT_OF_MEMORY'],
  },
  {
    it: '502: out of time, its work done',
    faults: [{ nth: 2, death: 'time' }],
    ...DONE,
    met: ['ACTIVATION_TIMED_OUT'],
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
    it: 'the container is killed at work, after a 202',
    faults: [{ nth: 2, accepted: true, killAfterMs: 0 }],
    ...COPIED,
    met: ['ACTIVATION_EXITED'],
    retries: 1,
  },
  {
    it: 'out of memory at work',
    faults: [{ nth: 2, killAfterMs: 0, death: 'memory' }],
    ...COPIED,
    met: ['ACTIVATION_OUT_OF_MEMORY'],
    retries: 1,
  },
  {
    it: 'out of time at work',
    faults: [{ nth: 2, killAfterMs: 0, death: 'time' }],
    ...COPIED,
    met: ['ACTIVATION_TIMED_OUT'],
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
    it: 'the container dies at work, and the platform runs the same activation again',
    faults: [{ nth: [2, 4], rerun: true, killAfterMs: 0 }],
    ...COPIED,
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
  {
    it: '502: Cannot initialize the action more than once, which costs no attempt',
    flags: ['--retries', '0'],
    faults: [{ nth: 1, unready: 'twice' }],
    ...COPIED,
    again: 0,
    retries: 1,
    met: ['CONTAINER_NOT_READY'],
  },
]
