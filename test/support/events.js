'use strict'

/**
 * The first event that fits, from now on, or the nth.
 *
 * @template T
 * @param {{ on: (name: any, listener: (event: T) => void) => any, off: (name: any, listener: any) => any }} emitter
 * @param {string} name
 * @param {(event: T) => boolean} [fits]
 * @param {number} [nth]
 * @returns {Promise<T>}
 */
function eventOf(emitter, name, fits = () => true, nth = 1) {
  let seen = 0
  return new Promise(resolve => {
    const listener = event => {
      if (!fits(event) || ++seen < nth) return
      emitter.off(name, listener)
      resolve(event)
    }
    emitter.on(name, listener)
  })
}

module.exports = { eventOf }
