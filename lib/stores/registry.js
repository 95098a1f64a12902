'use strict'

/** Every store by its scheme. A new one is a folder with a factory, and an entry here. The help loads only their options. */

/** @typedef {import('./contract').StoreFactory<any>} StoreFactory */

/** @type {StoreFactory[]} */
const STORES = [require('./s3')]

/**
 * @param {string} scheme in lower case
 * @returns {StoreFactory | undefined}
 */
function factoryOf(scheme) {
  return STORES.find(({ schemes }) => schemes.includes(scheme))
}

/** An example of a place of each kind, for messages. */
function examples() {
  return STORES.map(({ example }) => example).join(' or ')
}

/** Adds a store from outside of xfer. @param {StoreFactory} factory @returns {() => void} removes it */
function register(factory) {
  STORES.push(factory)
  return () => STORES.splice(STORES.indexOf(factory), 1)
}

module.exports = { STORES, examples, factoryOf, options: STORES.flatMap(({ options }) => options), register }
