'use strict'

/**
 * The first event that fits, from now on.
 *
 * @template T
 * @param {{ on: (name: any, listener: (event: T) => void) => any, off: (name: any, listener: any) => any }} emitter
 * @param {string} name
 * @param {(event: T) => boolean} [fits]
 * @returns {Promise<T>}
 */
function eventOf(emitter, name, fits = () => true) {
  return new Promise(resolve => {
    const listener = event => {
      if (!fits(event)) return
      emitter.off(name, listener)
      resolve(event)
    }
    emitter.on(name, listener)
  })
}

module.exports = { eventOf }
