'use strict'

/**
 * Finds objects that a store has but does not list: if MinIO has an object `a`, no listing shows the objects below `a/`,
 * though they can be read. Their copies must not be deleted. A file system has links that its lists leave out.
 */

const { asXferError } = require('../../errors')

/** Objects looked up at once. */
const AT_ONCE = 64

/** @param {string} name @returns {string[]} the folders of its path */
const foldersOf = name => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index)).filter(Boolean)

/** @param {Pick<import('../../job/open').Side, 'store' | 'key'>} source of the prefix */
function createHidden({ store, key: prefix }) {
  /** Whether there is an object of that name. Names come in order, so those of one batch are enough. @type {Map<string, Promise<boolean>>} */
  let known = new Map()

  /** @param {string} name @param {AbortSignal} signal @returns {Promise<boolean>} */
  async function exists(name, signal) {
    return await store.head(prefix + name, { signal }).then(
      () => true,
      cause => {
        const error = asXferError(cause)
        if (error.code === 'NO_SUCH_KEY' || error.code === 'STORE_REFUSED') return false
        throw error
      },
    )
  }

  /** @param {string} folder @param {AbortSignal} signal */
  function isObject(folder, signal) {
    const asked = known.get(folder) ?? exists(folder, signal)
    known.set(folder, asked)
    return asked
  }

  /** @param {string} name @param {AbortSignal} signal */
  async function isHidden(name, signal) {
    const below = await Promise.all(foldersOf(name).map(folder => isObject(folder, signal)))
    return below.includes(true) && (await exists(name, signal))
  }

  const { leavesOut } = store
  const isLeftOut = leavesOut && (async (/** @type {string} */ name) => await leavesOut(prefix + name))

  /** @param {string[]} names that were not listed @param {AbortSignal} signal @returns {Promise<Set<string>>} those that exist */
  return async (names, signal) => {
    const hidden = new Set()
    // Whether a store hides objects is learned from its answers.
    const isKept = isLeftOut ?? (store.can.hidesBelow ? isHidden : undefined)
    if (!isKept) return hidden
    for (let at = 0; at < names.length; at += AT_ONCE) {
      const some = names.slice(at, at + AT_ONCE)
      const found = await Promise.all(some.map(name => isKept(name, signal)))
      for (const [i, name] of some.entries()) if (found[i]) hidden.add(name)
    }
    known = new Map()
    return hidden
  }
}

module.exports = { createHidden }
