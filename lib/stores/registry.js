'use strict'

/** Every store by its scheme. A new one is a folder with a factory, and an entry here. Loaded by the help: it loads options alone. */

/** @typedef {import('./contract').StoreFactory<any>} StoreFactory */

/** @type {StoreFactory[]} */
const FACTORIES = [require('./s3/factory')]

/**
 * @param {string} scheme in lower case
 * @returns {StoreFactory | undefined}
 */
function factoryOf(scheme) {
  return FACTORIES.find(({ schemes }) => schemes.includes(scheme))
}

/** A place of each kind, for people. */
function examples() {
  return FACTORIES.map(({ example }) => example).join(' or ')
}

/** For a store that is not of xfer itself. @param {StoreFactory} factory @returns {() => void} takes it away again */
function register(factory) {
  FACTORIES.push(factory)
  return () => FACTORIES.splice(FACTORIES.indexOf(factory), 1)
}

module.exports = { examples, factoryOf, options: FACTORIES.flatMap(({ options }) => options), register }
