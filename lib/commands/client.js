'use strict'

/** A client: options that all its calls have, and connections and threads that stay from one call to the next. */

const { keepShared } = require('../async')
const { checkDefaults, withDefaults } = require('../options')

/** Which argument of each function its options are, and which places come before them. */
const CALLS = {
  copy: ['source', 'destination'],
  copyPrefix: ['source', 'destination'],
  move: ['source', 'destination'],
  upload: [undefined, 'destination'],
  verify: ['source', 'destination'],
  verifyPrefix: ['source', 'destination'],
  verifyManifest: [undefined],
  download: ['source'],
  list: ['source'],
  usage: ['source'],
  head: ['source'],
  presign: ['source'],
  remove: ['destination'],
  resume: [undefined],
}

/**
 * @param {Record<string, any>} library the functions
 * @returns {(defaults?: Record<string, any>) => any} as `createClient` of lib/index.d.ts
 */
const clientOf =
  library =>
  (defaults = {}) => {
    checkDefaults(defaults)
    const release = keepShared()
    const calls = Object.entries(CALLS).map(([name, places]) => [
      name,
      (/** @type {any[]} */ ...given) => {
        const located = Object.fromEntries(places.flatMap((place, i) => (place ? [[place, given[i]]] : [])))
        const options = withDefaults(/** @type {any} */ (name), located, defaults, given[places.length])
        return library[name](...Array.from(places, (_, i) => given[i]), options)
      },
    ])
    return { ...Object.fromEntries(calls), close: release }
  }

module.exports = { clientOf }
