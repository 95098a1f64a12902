'use strict'

/**
 * A store that many runs have at once, each as one of its own: what makes data requests is shared, and its rules. What sends control calls,
 * or names the place, goes by a store that the run opens when it first needs it: so they are repeated, counted and told for this run alone.
 * Most uploads to a store that is known need none.
 */

/** @typedef {import('./contract').Store} Store */

/** What is the same for each place in its container, and the credentials and the clock of what signs: `ping` sets that one. @type {ReadonlySet<string>} */
const SHARED = new Set([
  'scheme',
  'endpoint',
  'origin',
  'can',
  'limits',
  'ca',
  'proxy',
  'mtime',
  'contentHeaders',
  'asciiHeaders',
  'baseRate',
  'costs',
  'provider',
  'now',
  'put',
  'readDescription',
  'readWritten',
  'describingHeaders',
  'ping',
  'renew',
  'signsAnew',
  'named',
  'unknown',
  'answered',
  'keyFault',
  'nameFaults',
  'metadataFault',
  'heeds',
  'roundTripMs',
  'pin',
])

/**
 * @param {Store} shared
 * @returns {(open: () => Store) => Store} of a run; open: the run's own
 */
function createLate(shared) {
  const all = /** @type {Record<string, any>} */ (shared)
  /** @type {PropertyDescriptorMap} */
  const members = {
    close: {
      /** @this {any} */
      value() {
        this.opened?.close()
      },
    },
  }
  for (const name of Object.keys(all)) {
    if (SHARED.has(name)) members[name] = { enumerable: true, value: all[name] }
    else if (name !== 'close') {
      members[name] = {
        enumerable: true,
        /** @this {any} */
        get() {
          this.opened ??= this.open()
          return this.opened[name]
        },
      }
    }
  }
  const prototype = Object.create(null, members)
  return open => Object.assign(Object.create(prototype), { open, opened: undefined })
}

module.exports = { createLate }
