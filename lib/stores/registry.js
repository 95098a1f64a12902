'use strict'

/** Every store by its scheme. A new one is a folder with a factory, and an entry here. The help loads only their options. */

/** @typedef {import('./contract').StoreFactory<any>} StoreFactory */

/** @type {StoreFactory[]} */
const FACTORIES = [require('./s3')]

/**
 * @param {string} scheme in lower case
 * @returns {StoreFactory | undefined}
 */
function factoryOf(scheme) {
  return FACTORIES.find(({ schemes }) => schemes.includes(scheme))
}

/** An example of a place of each kind, for messages. */
function examples() {
  return FACTORIES.map(({ example }) => example).join(' or ')
}

/** Adds a store from outside of xfer. @param {StoreFactory} factory @returns {() => void} removes it */
function register(factory) {
  FACTORIES.push(factory)
  return () => FACTORIES.splice(FACTORIES.indexOf(factory), 1)
}

module.exports = { examples, factoryOf, options: FACTORIES.flatMap(({ options }) => options), register }
