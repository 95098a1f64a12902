'use strict'

/** The door of this room: the option table and what is made of it. What the help does not need is loaded on first use. */

/**
 * @typedef {typeof import('./table') & typeof import('./names') & typeof import('./command-line') & typeof import('./arguments') &
 *   typeof import('./read') & typeof import('./attributes') & typeof import('./kept') & typeof import('./units') &
 *   typeof import('./sizes')} Door
 */

/** @type {Array<[load: () => Record<string, any>, names: string[]]>} */
const LATER = [
  [() => require('./names'), ['checkDefaults', 'checkScope', 'optionsOf', 'sideOptions', 'withDefaults']],
  [() => require('./command-line'), ['commandLine', 'flagsOf', 'quoted']],
  [() => require('./arguments'), ['checkArguments']],
  [() => require('./read'), ['readerOf', 'silenceOf']],
  [() => require('./attributes'), ['readAttributes']],
  [() => require('./kept'), ['OF_OWN_JOURNAL', 'OF_PREFIX_ON_RESUME', 'asPrefixOptions', 'differingOptions']],
  [() => require('./kept'), ['givesSameAttributes', 'mergeOptions', 'mergeSide', 'optionsToKeep', 'withoutFixed']],
  [() => require('./units'), ['BYTES', 'MILLISECONDS']],
  [() => require('./sizes'), ['MiB', 'parseCount', 'parseSize']],
]

const door = { ...require('./table') }
for (const [load, names] of LATER)
  for (const name of names) Object.defineProperty(door, name, { enumerable: true, get: () => load()[name] })

module.exports = /** @type {Door} */ (/** @type {unknown} */ (door))
