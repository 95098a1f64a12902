'use strict'

/** The signals that ask the process to end. */

/**
 * How soon after a signal the same one is that signal again: GNU `timeout` sends it to the process and to its group, and so do
 * terminals and shells that close. Nobody presses Ctrl-C twice in so short a time.
 */
const REPEATED_MS = { SIGINT: 50, SIGTERM: 1000, SIGHUP: 1000 }

/** @typedef {keyof typeof REPEATED_MS} Signal */

const SIGNALS = /** @type {Signal[]} */ (Object.keys(REPEATED_MS))

/**
 * Listens to signals, which do not end the process by themselves then.
 *
 * @param {() => void} heard called for each, but not for one that arrives twice
 * @param {Signal[]} [names]
 * @param {() => number} [now] milliseconds
 * @returns {() => void} listens no longer
 */
function listenTo(heard, names = SIGNALS, now = () => performance.now()) {
  /** @type {Partial<Record<Signal, number>>} */
  const lastMs = {}
  const onSignal = (/** @type {Signal} */ name) => {
    const nowMs = now()
    if (nowMs - (lastMs[name] ?? Number.NEGATIVE_INFINITY) < REPEATED_MS[name]) return
    lastMs[name] = nowMs
    heard()
  }
  for (const name of names) process.on(name, onSignal)
  return () => {
    for (const name of names) process.off(name, onSignal)
  }
}

module.exports = { listenTo }
