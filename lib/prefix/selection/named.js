'use strict'

/** `--files-from`: the objects that a file names, asked for one by one instead of being listed. */

const { asXferError } = require('../../errors')
const { look } = require('../../destination')

/** Asked for at once. */
const AT_ONCE = 64

/** @typedef {import('../../types').ListedObject} ListedObject */

/**
 * Steps as of `walk`, of no range: names come in any order.
 *
 * @param {object} how
 * @param {import('../../job/open').Job} how.job
 * @param {AsyncIterable<string> | Iterable<string>} how.names
 * @param {boolean} how.compares whether what is at the destination is wanted too
 * @param {(name: string, error: import('../../types').XferError) => void} how.missing told of each that cannot be asked for
 * @returns {AsyncGenerator<{ type: 'pairs', range: undefined, pairs: Array<{ name: string, source: ListedObject, destination?: ListedObject }>, through: undefined }>}
 */
async function* namedSteps({ job, names, compares, missing }) {
  const { source, destination } = job
  const { cancel: signal } = job.run
  /** @param {string} name */
  async function ask(name) {
    try {
      const [from, to] = await Promise.all([
        source.store.head(source.key + name, { signal }),
        compares ? look({ store: destination.store, key: destination.key + name }, signal) : undefined,
      ])
      return {
        name,
        source: { key: source.key + name, ...from },
        ...(to?.object && { destination: { key: destination.key + name, ...to.object } }),
      }
    } catch (error) {
      missing(name, asXferError(error))
      return undefined
    }
  }

  /** @type {string[]} */
  let batch = []
  for await (const name of names) {
    batch.push(name)
    if (batch.length < AT_ONCE) continue
    yield await asked()
  }
  if (batch.length > 0) yield await asked()

  async function asked() {
    const found = await Promise.all(batch.map(ask))
    batch = []
    return {
      type: /** @type {const} */ ('pairs'),
      range: undefined,
      pairs: found.flatMap(pair => pair ?? []),
      through: undefined,
    }
  }
}

module.exports = { namedSteps }
