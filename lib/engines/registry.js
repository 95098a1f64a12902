'use strict'

/**
 * Every engine, in the order in which `--engine auto` tries them. A new one is a folder with a factory (contract.d.ts), and an
 * entry here. The help loads only the factories: each loads the rest of its folder when it is used.
 */

/** @type {import('./contract').EngineFactory[]} */
const ENGINES = [require('./openwhisk'), require('./lambda'), require('./http'), require('./local')]

/** @returns {string[]} values of `--engine` */
function engineNames() {
  return ['auto', ...ENGINES.map(({ name }) => name)]
}

module.exports = { ENGINES, engineNames }
