'use strict'

/** Whether a copy can be left to the store: both sides are in one, and nothing is asked for that only an engine does. Pure. */

const { XferError } = require('../errors')

/** @typedef {Pick<import('../types').Identity, 'copies' | 'name'>} Identity what its store is known by */
/** @typedef {'auto' | 'server' | 'engine'} Route */

/**
 * @param {Route} route as it was asked for
 * @param {{ source: Identity, destination: Identity, bytesPerSecond?: number, readsAll?: boolean }} job readsAll: every
 *   object, once it is copied
 * @returns {boolean} whether the store is to be asked first
 * @throws {XferError} USAGE where that was asked for, and cannot be
 */
function asksServer(route, { source, destination, bytesPerSecond, readsAll = false }) {
  if (route === 'engine') return false
  const same = source.copies === destination.copies
  if (same && bytesPerSecond === undefined && !readsAll) return true
  if (route === 'auto') return false
  if (!same) {
    throw usage(
      `source and destination are not in one store (${source.name} and ${destination.name})`,
      'Leave it out, and the bytes go through the engine.',
    )
  }
  if (readsAll) throw usage('--verify full reads all that lies below a prefix', 'Give one of them only.')
  throw usage('no store holds a --bandwidth', 'Give one of them only.')
}

/** @param {string} why @param {string} advice */
function usage(why, advice) {
  return new XferError('USAGE', { text: `--route server leaves the copy to the store, and ${why}.`, advice })
}

module.exports = { asksServer }
