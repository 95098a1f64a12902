'use strict'

/**
 * A key is any text, and `./`, `../` and `//` in it are characters like others. Stores that keep objects as files may
 * resolve them, as a path, and without a word write another object than the one that was named.
 */

const { XferError } = require('../errors')

/** @typedef {import('../types').Store} Store */

/**
 * What a file system makes of a key.
 *
 * @param {string} key
 * @returns {string} the same for most keys; '' for one that names no file
 */
function resolveKey(key) {
  /** @type {string[]} */
  const kept = []
  for (const segment of key.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return kept.length > 0 && key.endsWith('/') ? `${kept.join('/')}/` : kept.join('/')
}

/**
 * Before the copy is written and again afterwards, for a key that could be resolved: whether the store takes it for
 * the other one. Before, that saves the other object from being replaced; afterwards, it is found where the copy went.
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
  // They may be two objects with equal contents after all, of one second: then the list has this one by its name.
  const listed = await store.list({ prefix: key }, { signal }).catch(() => undefined)
  if (listed?.objects.some(object => object.key === key)) return
  throw new XferError('KEY_RESOLVED', { ...store.facts, key, other, written })
}

module.exports = { checkKey, resolveKey }
