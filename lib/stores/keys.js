'use strict'

/**
 * A key is any text: `./`, `../`, `//` and `\` have no special meaning. But stores that keep objects as files may resolve a key as
 * a path, and write another object than the one named, without an error.
 */

const { XferError } = require('../errors')

/** @typedef {import('../types').Store} Store */

/**
 * The key to which such a store resolves a key: as a path, or with each backslash as a slash (SeaweedFS).
 *
 * @param {string} key
 * @returns {string} equal to the key for most keys; '' if the path names no file
 */
function resolveKey(key) {
  const path = pathOf(key)
  return path === key && key.includes('\\') ? pathOf(key.replaceAll('\\', '/')) : path
}

/** @param {string} key */
function pathOf(key) {
  /** @type {string[]} */
  const segments = []
  for (const segment of key.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.length > 0 && key.endsWith('/') ? `${segments.join('/')}/` : segments.join('/')
}

/**
 * Checks whether the store resolves the key to another one. Called before the write, so that the other object is not replaced,
 * and again afterwards, to find out where the copy was written.
 *
 * @param {{ store: Store, key: string }} destination
 * @param {{ written: boolean, signal: AbortSignal | undefined }} stage
 * @throws {XferError} KEY_RESOLVED
 */
async function checkKey({ store, key }, { written, signal }) {
  const other = resolveKey(key)
  if (other === key || other === '') return
  const heads = [key, other].map(name => store.head(name, { signal }).catch(() => undefined))
  const [ours, theirs] = await Promise.all(heads)
  const same =
    ours &&
    theirs &&
    ours.etag === theirs.etag &&
    ours.bytes === theirs.bytes &&
    ours.lastModifiedMs === theirs.lastModifiedMs
  if (!same) return
  // They may be two objects with equal contents, written in the same second. Then the list contains this key.
  const listed = await store.list?.({ prefix: key }, { signal }).catch(() => undefined)
  if (listed?.objects.some(object => object.key === key)) return
  throw new XferError('KEY_RESOLVED', { ...store.facts, key, other, written })
}

module.exports = { checkKey, resolveKey }
