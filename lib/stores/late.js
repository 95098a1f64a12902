'use strict'

/**
 * A store that many runs have at once, each as one of its own: signing, words and rules are shared; whatever sends a request goes by a
 * store that this run opens for its first one, so that it is repeated, counted and told for this run alone. Most uploads to a store that
 * is known send none.
 */

/** @typedef {import('./contract').Store} Store */

/** What sends no request, and keeps nothing of who asks. @type {ReadonlySet<string>} */
const SHARED = new Set([
  'scheme',
  'facts',
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
  'explain',
  'authenticate',
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
 * @param {() => Store} open opens the same again
 * @returns {(own: (store: Store) => Store) => Store} of a run; own: makes what it opens its own
 */
function createLate(shared, open) {
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
          this.opened ??= this.own(open())
          return this.opened[name]
        },
      }
    }
  }
  const prototype = Object.create(null, members)
  return own => Object.assign(Object.create(prototype), { own, opened: undefined })
}

module.exports = { createLate }
