'use strict'

/**
 * The door to the stores. The contract is contract.d.ts; registry.js names all stores. The other files are loaded when
 * they are first asked for: the help needs options alone.
 */

const { lazily } = require('./common')
const { STORES, examples, options } = require('./registry')

module.exports = lazily(
  { STORES, examples, options },
  {
    asFolder: () => require('./places'),
    asPrefix: () => require('./places'),
    checkAttributes: () => require('./open'),
    checkKey: () => require('./open'),
    checkMetadata: () => require('./open'),
    completeDestination: () => require('./places'),
    factoryOfText: () => require('./places'),
    idBelow: () => require('./places'),
    identify: () => require('./open'),
    keyFaultOf: () => require('./places'),
    mtime: () => require('./common'),
    openStore: () => require('./open'),
    ownChecks: () => require('./places'),
    parsePlace: () => require('./places'),
    placeText: () => require('./places'),
    resolveSettings: () => require('./open'),
    termsOf: () => require('./open'),
    textToOpen: () => require('./places'),
    withRetry: () => require('./with-retry'),
  },
)
