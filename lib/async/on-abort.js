'use strict'

/** What is called when a signal aborts. @type {WeakMap<AbortSignal, { callbacks: Set<() => void>, listener: () => void }>} */
const waiting = new WeakMap()

/**
 * Calls back once when the signal aborts. All callbacks of a signal share one listener, because adding and removing one
 * of thousands of listeners takes as long as walking through them all.
 *
 * @param {AbortSignal} signal that is not aborted
 * @param {() => void} callback
 * @returns {() => void} removes the callback
 */
function onAbort(signal, callback) {
  let shared = waiting.get(signal)
  if (!shared) {
    const callbacks = new Set()
    const listener = () => {
      waiting.delete(signal)
      for (const each of callbacks) each()
    }
    shared = { callbacks, listener }
    waiting.set(signal, shared)
    signal.addEventListener('abort', listener, { once: true })
  }
  const { callbacks, listener } = shared
  // The same function may be given twice.
  const own = () => callback()
  callbacks.add(own)
  return () => {
    if (!callbacks.delete(own) || callbacks.size > 0 || waiting.get(signal) !== shared) return
    waiting.delete(signal)
    signal.removeEventListener('abort', listener)
  }
}

module.exports = { onAbort }
