'use strict'

/**
 * Removes everything below a prefix. First all of it is listed and counted, and the names are kept in a file; then exactly
 * these objects are deleted, in batches. An object that is written meanwhile under another name stays.
 */

const { eachAtOnce, inBatches } = require('../async')
const { throwIfAborted, XferError } = require('../errors')
const { walk } = require('../listing')

/** Keys in one request. */
const MOST_AT_ONCE = 1_000
/** Requests at the same time. */
const BATCHES = 4

/** @typedef {import('../job/open-one').One} One */
/** @typedef {Pick<ReturnType<typeof import('../select').createSpool>, 'add' | 'names'>} Spool */
/** @typedef {{ code: import('../types').XferErrorCode, message: string }} Failure */

/**
 * @param {Pick<One, 'end' | 'run'>} one the prefix
 * @param {object} how
 * @param {(name: string, object: import('../types').ListedObject) => boolean} how.chosen
 * @param {(name: string, bytes: number) => Promise<void>} how.note
 * @param {(name: string, failure: Failure) => void} how.fail an object that is listed under a wrong key
 * @returns {Promise<{ listed: number, objects: number, bytes: number }>} objects, bytes: of those that were noted
 */
async function countBelow({ end: { store, key: prefix }, run: { cancel: signal } }, { chosen, note, fail }) {
  const found = { listed: 0, objects: 0, bytes: 0 }
  for await (const step of walk({ source: { store, prefix }, signal })) {
    if (step.type === 'odd') {
      found.listed++
      if (!chosen(step.name, step.object)) continue
      fail(step.name, new XferError('KEY_UNREADABLE', { ...store.facts, key: step.object.key }))
    }
    if (step.type !== 'pairs') continue
    for (const { name, source } of step.pairs) {
      found.listed++
      if (!source || !chosen(name, source)) continue
      found.objects++
      found.bytes += source.bytes
      await note(name, source.bytes)
    }
  }
  return found
}

/**
 * @param {{ end: Pick<One['end'], 'store' | 'key'>, run: Pick<One['run'], 'cancel' | 'abort'> }} one the prefix
 * @param {object} how
 * @param {AsyncIterable<string>} how.names
 * @param {(name: string) => void} how.done the store has confirmed that the object is deleted
 * @param {(name: string, failure: Failure) => void} how.fail
 * @throws {XferError} the store's errors; the reason of an abort: nothing more is deleted then
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

module.exports = { countBelow, removeNames }
