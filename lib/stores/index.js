'use strict'

/**
 * The door to the stores. The contract is contract.d.ts; registry.js names all stores. The other files are loaded when
 * they are first asked for: the help needs options alone.
 */

const { STORES, examples, options } = require('./registry')

module.exports = {
  STORES,
  examples,
  options,
  get mtime() {
    return require('./common').mtime
  },
  get asFolder() {
    return require('./places').asFolder
  },
  get asPrefix() {
    return require('./places').asPrefix
  },
  get completeDestination() {
    return require('./places').completeDestination
  },
  get factoryOfText() {
    return require('./places').factoryOfText
  },
  get idBelow() {
    return require('./places').idBelow
  },
  get keyFaultOf() {
    return require('./places').keyFaultOf
  },
  get ownChecks() {
    return require('./places').ownChecks
  },
  get parsePlace() {
    return require('./places').parsePlace
  },
  get placeText() {
    return require('./places').placeText
  },
  get textToOpen() {
    return require('./places').textToOpen
  },
  get checkKey() {
    return require('./open').checkKey
  },
  get checkAttributes() {
    return require('./open').checkAttributes
  },
  get checkMetadata() {
    return require('./open').checkMetadata
  },
  get identify() {
    return require('./open').identify
  },
  get termsOf() {
    return require('./open').termsOf
  },
  get openStore() {
    return require('./open').openStore
  },
  get resolveSettings() {
    return require('./open').resolveSettings
  },
  get withRetry() {
    return require('./with-retry').withRetry
  },
}
