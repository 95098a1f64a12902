'use strict'

/** `--files-from`: the objects that a file names. Each is looked up by HEAD; nothing is listed. */

const { inBatches } = require('../../async')
const { XferError, asXferError } = require('../../errors')
const { look } = require('../../destination')

/** Objects looked up at once. */
const AT_ONCE = 64

/** @typedef {import('../../types').ListedObject} ListedObject */
/** @typedef {{ name: string, source: ListedObject, destination?: ListedObject }} Named */

/**
 * Makes steps as `walk` does, but without ranges: the names come in any order.
 *
 * @param {object} how
 * @param {import('../../job/open').Job} how.job
 * @param {AsyncIterable<string> | Iterable<string>} how.names
 * @param {boolean} how.compares whether to look up the destination's objects too
 * @param {(name: string, error: import('../../types').XferError) => void} how.missing called for each object that cannot be looked up
 * @returns {AsyncGenerator<{ type: 'pairs', range: undefined, pairs: Named[], through: undefined }>}
 */
async function* namedSteps({ job, names, compares, missing }) {
  const { source, destination } = job
  const { cancel: signal } = job.run
  /** @param {string} name @returns {Promise<Named>} */
  async function ask(name) {
    const [from, to] = await Promise.all([
      source.store.head(source.key + name, { signal }),
      compares ? look({ store: destination.store, key: destination.key + name }, signal) : undefined,
    ])
    const there = to?.object && { destination: { key: destination.key + name, ...to.object } }
    return { name, source: { key: source.key + name, ...from }, ...there }
  }

  for await (const batch of inBatches(names, AT_ONCE)) {
    const found = await Promise.allSettled(batch.map(ask))
    /** @type {Named[]} */
    const pairs = []
    found.forEach((one, i) => {
      if (one.status === 'fulfilled') pairs.push(one.value)
      else missing(batch[i], withAdvice(batch[i], asXferError(one.reason)))
    })
    if (pairs.length > 0) yield { type: 'pairs', range: undefined, pairs, through: undefined }
  }
}

/** Says that names are relative, if this one looks like a location. @param {string} name @param {import('../../types').XferError} error */
function withAdvice(name, error) {
  if (error.code !== 'NO_SUCH_KEY' || !/^(?:[a-z][a-z0-9+.-]*:\/)?\//i.test(name)) return error
  return new XferError('NO_SUCH_KEY', { ...error.facts, absolute: true }, { cause: error })
}

module.exports = { namedSteps }
