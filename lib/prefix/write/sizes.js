'use strict'

/**
 * `--verify size`: gets the sizes of written objects from the destination's listing, a thousand in one request. Objects
 * that the listing omits, and all objects if listing is denied, are looked up by HEAD.
 */

const { setTimeout: delay } = require('node:timers/promises')
const { asXferError } = require('../../errors')
const { look } = require('../../destination')
const { compareNames } = require('../../listing')

/** Objects that are looked up together. */
const MOST_TOGETHER = 1_000
/** How long an object waits for others. */
const WAIT_MS = 1_000
/** Keys in one page of the listing; if the next written object is further away, the listing jumps to it. */
const MOST_BETWEEN = 1_000

/**
 * Objects that are looked up together.
 *
 * @typedef {object} Batch
 * @property {string[]} keys
 * @property {AbortController} full aborts the waiting, once there are enough
 * @property {Promise<Map<string, number>>} sizes of the listed ones
 */

/**
 * @param {object} how
 * @param {import('../../types').Store} how.store of the destination
 * @param {string} how.prefix
 * @param {AbortSignal} [how.signal]
 */
function createSizes({ store, prefix, signal }) {
  /** That objects join now. @type {Batch | undefined} */
  let batch

  /** @returns {Batch} */
  function begin() {
    /** @type {string[]} */
    const keys = []
    const full = new AbortController()
    const due = delay(WAIT_MS, undefined, { signal: full.signal }).catch(() => {})
    const sizes = due.then(() => {
      batch = undefined
      return list(keys.sort(compareNames))
    })
    return { keys, full, sizes }
  }

  /** @param {string[]} keys in order @returns {Promise<Map<string, number>>} sizes of the listed ones */
  async function list(keys) {
    const wanted = new Set(keys)
    /** @type {Map<string, number>} */
    const sizes = new Map()
    if (!store.list) return sizes
    try {
      for (let at = 0; at !== -1; ) {
        // The key without its last character sorts before it.
        const after = keys[at].slice(0, -1)
        const { objects } = await store.list({ prefix, after, most: MOST_BETWEEN }, { signal })
        for (const { key, bytes } of objects) if (wanted.has(key)) sizes.set(key, bytes)
        const last = objects.at(-1)?.key
        at = last === undefined ? -1 : keys.findIndex((key, i) => i > at && compareNames(key, last) > 0)
      }
    } catch (cause) {
      if (asXferError(cause).code !== 'ACCESS_DENIED') throw cause
    }
    return sizes
  }

  return {
    /** @param {string} key of a written object @returns {Promise<number | 'missing' | 'denied'>} its size at the destination, bytes */
    async of(key) {
      batch ??= begin()
      const { keys, full, sizes } = batch
      keys.push(key)
      if (keys.length >= MOST_TOGETHER) full.abort()
      const listed = (await sizes).get(key)
      if (listed !== undefined) return listed
      // A listing may be stale; a HEAD decides.
      const { object, denied } = await look({ store, key }, signal)
      return object?.bytes ?? (denied ? 'denied' : 'missing')
    },
  }
}

module.exports = { createSizes }
