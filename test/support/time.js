'use strict'

/** The time of a test: it jumps to the next timer whenever nothing else can happen, so that no wait takes any. Loaded before the code under test. */

/** Its turns are real. */
const { setImmediate: afterTurn } = globalThis

jest.mock('node:timers/promises', () => ({
  ...jest.requireActual('node:timers/promises'),
  setImmediate: value => new Promise(resolve => setImmediate(resolve, value)),
  setTimeout: (ms, value, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms, value)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
}))
jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] })

/**
 * Lets time pass until the promise is settled.
 *
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 * @throws {Error} if no timer is left, so that it would never settle
 */
async function passTime(promise) {
  let settled = false
  const end = () => {
    settled = true
  }
  promise.then(end, end)
  for (;;) {
    await new Promise(resolve => afterTurn(resolve))
    if (settled) break
    if (jest.getTimerCount() === 0) throw new Error('It hangs: nothing is left to happen')
    jest.advanceTimersToNextTimer()
  }
  // What has ended waits for nothing more.
  jest.clearAllTimers()
  return await promise
}

module.exports = { passTime }
