'use strict'

/** Every store by its scheme. A new one is a folder with a factory, and an entry here. The help loads only their options. */

/** @typedef {import('./contract').StoreFactory<any>} StoreFactory */

/** @type {StoreFactory[]} */
const STORES = [
  require('./s3').s3,
  require('./azure'),
  require('./gcs').gcs,
  require('./file').file,
  require('./https'),
  require('./redis'),
]

/**
 * @param {string} scheme in lower case
 * @returns {StoreFactory | undefined}
 */
function factoryOf(scheme) {
  return STORES.find(({ schemes }) => schemes.includes(scheme))
}

/** An example of a place of each kind, for messages. @param {'source' | 'destination'} [side] 'source': also of those that are sources only */
function examples(side) {
  const all = STORES.filter(({ sourceOnly }) => side === 'source' || !sourceOnly).map(({ example }) => example)
  return [all.slice(0, -1).join(', '), ...all.slice(-1)].filter(Boolean).join(' or ')
}

/** Options of the stores of xfer. Stores with an option in common share its row. */
const options = [...new Set(STORES.flatMap(({ options }) => options))]

/** Dialects that one store has of another's protocol, by their names in servers.js. */
const dialects = Object.assign({}, ...STORES.map(factory => factory.dialects))

module.exports = { STORES, dialects, examples, factoryOf, options }
