'use strict'

/**
 * The door to the stores. The contract is contract.d.ts; registry.js names all stores. The other files are loaded when
 * they are first asked for: the help needs options alone.
 */

const { lazily } = require('../lazily')
const { STORES, examples, options } = require('./registry')

/**
 * @typedef {typeof import('./late') & Pick<typeof import('./registry'), 'STORES' | 'examples' | 'options'> & Pick<typeof import('./common'), 'mtime' | 'nameFaultsText'> &
 *   Pick<typeof import('./own-rows'), 'PATTERNS' | 'forgetRow' | 'keepRow'> & typeof import('./places') & typeof import('./with-retry')} StoresDoor
 */

module.exports = /** @type {StoresDoor} */ (
  lazily({ STORES, examples, options }, [
    [() => require('./common'), ['mtime', 'nameFaultsText']],
    [() => require('./places'), ['asPrefix', 'checkAttributes', 'checkKey', 'checkMetadata', 'completeDestination']],
    [() => require('./places'), ['factoryOfPlace', 'factoryOfText', 'idBelow', 'identify', 'openStore']],
    [() => require('./places'), ['parsePlace', 'placeText', 'readPlaceId', 'resolveSettings']],
    [() => require('./places'), ['takesHeader', 'textToOpen']],
    [() => require('./late'), ['createLate']],
    [() => require('./own-rows'), ['PATTERNS', 'forgetRow', 'keepRow']],
    [() => require('./with-retry'), ['withRetry']],
  ])
)
