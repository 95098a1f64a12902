'use strict'

/**
 * Limits the work in flight: callers wait until there is room. Work larger than the limit starts alone. Pure but for its
 * promises.
 *
 * @param {number} most
 * @param {() => void} [onWait] called when work has to wait
 */
function createRoom(most, onWait = () => {}) {
  let room = most
  let taken = 0
  /** @type {Array<{ size: number, enter: () => void }>} in order of arrival */
  const waiting = []
  /** @type {Array<() => void>} */
  const idle = []

  const fits = (/** @type {number} */ size) => taken === 0 || taken + size <= room

  function serve() {
    while (waiting.length > 0 && fits(waiting[0].size)) {
      const { size, enter } = /** @type {typeof waiting[0]} */ (waiting.shift())
      taken += size
      enter()
    }
    if (taken > 0) return
    for (const tell of idle.splice(0)) tell()
  }

  return {
    taken: () => taken,

    /** @param {number} size @returns {Promise<void>} resolves once the work may start; call `leave` at its end */
    async enter(size) {
      if (waiting.length === 0 && fits(size)) {
        taken += size
        return
      }
      onWait()
      await new Promise(resolve => waiting.push({ size, enter: () => resolve(undefined) }))
    },

    /** @param {number} least the limit rises to this, if it is lower */
    widen(least) {
      room = Math.max(room, least)
      serve()
    },

    /** @param {number} size that entered */
    leave(size) {
      taken -= size
      serve()
    },

    /** @returns {Promise<void>} resolves once nothing is in flight */
    async empty() {
      if (taken > 0) await new Promise(resolve => idle.push(() => resolve(undefined)))
    },
  }
}

module.exports = { createRoom }
