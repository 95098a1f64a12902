'use strict'

/** Removes the objects that are named, in batches. */

const { eachAtOnce, inBatches } = require('../async')
const { throwIfAborted } = require('../errors')

/** Keys in one request. */
const MOST_AT_ONCE = 1_000
/** Requests at the same time. */
const BATCHES = 4

/** @typedef {import('../job/open-one').One} One */
/** @typedef {{ code: import('../types').XferErrorCode, message: string }} Failure */

/**
 * @param {{ end: Pick<One['end'], 'store' | 'key'>, run: Pick<One['run'], 'cancel' | 'abort'> }} one the prefix
 * @param {object} how
 * @param {AsyncIterable<string>} how.names
 * @param {(name: string) => void} how.done the store has confirmed that the object is deleted
 * @param {(name: string, failure: Failure) => void} how.fail
 * @throws {import('../types').XferError} the store's errors; the reason of an abort: nothing more is deleted then
 */
async function removeNames({ end: { store, key: prefix }, run: { cancel, abort } }, { names, done, fail }) {
  /** The first batch: the others wait for it, because it shows whether the store takes many in one request. @type {Promise<void> | undefined} */
  let first
  await eachAtOnce(inBatches(names, MOST_AT_ONCE), BATCHES, async batch => {
    await first
    throwIfAborted(cancel)
    const removed = removeBatch(batch)
    first ??= removed
    await removed
  })

  /** @param {string[]} batch */
  async function removeBatch(batch) {
    // A batch that has begun comes to its end, so that it is known what was deleted.
    const keys = batch.map(name => prefix + name)
    const refused = await store.removeAll(keys, { signal: abort })
    const left = new Map(refused.map(failure => [failure.key, failure]))
    for (const name of batch) {
      const failure = left.get(prefix + name)
      if (failure) fail(name, failure)
      else done(name)
    }
  }
}

module.exports = { removeNames }
