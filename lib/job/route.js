'use strict'

/** Whether the store can copy by itself: both sides are in it, and no option needs an engine. Pure. */

const { XferError } = require('../errors')

/** @typedef {Pick<import('../types').Identity, 'copies' | 'name'>} Identity of the store */
/** @typedef {'auto' | 'server' | 'engine'} Route */

/**
 * @param {Route} route the value of `--route`
 * @param {{ source: Identity, destination: Identity, bytesPerSecond?: number, readsAll?: boolean }} job readsAll: every
 *   object, once it is copied
 * @returns {boolean} whether to ask the store first
 * @throws {XferError} USAGE if `server` was asked for and is not possible
 */
function asksServer(route, { source, destination, bytesPerSecond, readsAll = false }) {
  if (route === 'engine') return false
  const same = source.copies !== undefined && source.copies === destination.copies
  if (same && bytesPerSecond === undefined && !readsAll) return true
  if (route === 'auto') return false
  if (!same) {
    const why =
      source.name === destination.name
        ? `${source.name} does not copy by itself`
        : `source and destination are not in one store (${source.name} and ${destination.name})`
    throw usage(why, 'Leave it out, and the bytes go through the engine.')
  }
  if (readsAll) throw usage('--verify full reads all that lies below a prefix', 'Give one of them only.')
  throw usage('no store holds a --bandwidth', 'Give one of them only.')
}

/** @param {string} why @param {string} advice */
function usage(why, advice) {
  return new XferError('USAGE', { text: `--route server leaves the copy to the store, and ${why}.`, advice })
}

module.exports = { asksServer }
