'use strict'

/**
 * What jobs of this process share: made for the first that takes it, ended when the last one has left, unless a client keeps it.
 */

/** The clients that keep everything. */
let keepers = 0
/** Each ends what nobody uses. @type {Set<() => Promise<unknown>>} */
const sweepers = new Set()

/**
 * @template T
 * @param {(value: T) => unknown} end
 */
function createShared(end) {
  /** @type {Map<string, { value: T, users: number }>} */
  const entries = new Map()

  async function sweep() {
    if (keepers > 0) return
    const idle = [...entries].filter(([, { users }]) => users === 0)
    for (const [key] of idle) entries.delete(key)
    await Promise.all(idle.map(([, { value }]) => end(value)))
  }
  sweepers.add(sweep)

  return {
    /**
     * @param {string} key equal for what may be shared
     * @param {() => T} make
     * @returns {{ value: T, leave: () => Promise<void> }}
     */
    take(key, make) {
      const entry = entries.get(key) ?? { value: make(), users: 0 }
      entries.set(key, entry)
      entry.users++
      let left = false
      return {
        value: entry.value,
        async leave() {
          if (left) return
          left = true
          entry.users--
          await sweep()
        },
      }
    },
  }
}

/** Keeps what jobs share beyond their ends. @returns {() => Promise<void>} ends that */
function keepShared() {
  keepers++
  let kept = true
  return async () => {
    if (!kept) return
    kept = false
    keepers--
    await Promise.all([...sweepers].map(sweep => sweep()))
  }
}

module.exports = { createShared, keepShared }
