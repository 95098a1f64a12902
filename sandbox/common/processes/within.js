'use strict'

const { setTimeout: delay } = require('node:timers/promises')

/**
 * Waits for the first of some promises, but not for ever. The timer keeps no process alive.
 *
 * @template T
 * @template L
 * @param {number} ms
 * @param {L} late what it resolves with when none was in time
 * @param {Promise<T>[]} promises
 * @returns {Promise<T | L>}
 */
async function within(ms, late, promises) {
  const stop = new AbortController()
  const timer = delay(ms, late, { signal: stop.signal, ref: false })
  timer.catch(() => {})
  try {
    return await Promise.race([...promises, timer])
  } finally {
    stop.abort()
  }
}

/**
 * Runs a call in a container, which is killed as the call's fault says: so long after the call was sent, or when it was answered.
 *
 * @template T
 * @param {{ kill(): void }} container
 * @param {{ death?: string, rerun?: boolean, killAfterMs?: number }} fault
 * @param {(onSent: () => void) => Promise<T>} run
 * @returns {Promise<{ killed: boolean, outcome: T }>}
 */
async function runWithDeath(container, { death, rerun, killAfterMs }, run) {
  let killed = false
  const kill = () => {
    killed = true
    container.kill()
  }
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const outcome = await run(() => {
    if (killAfterMs !== undefined) timer = setTimeout(kill, killAfterMs)
  })
  clearTimeout(timer)
  if ((death || rerun) && killAfterMs === undefined) kill()
  return { killed, outcome }
}

module.exports = { runWithDeath, within }
