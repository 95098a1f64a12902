'use strict'

/** The door of this room: the option table and what is made of it. What the help does not need is loaded on first use. */

const { lazily } = require('../lazily')

/**
 * @typedef {typeof import('./table') & typeof import('./names') & typeof import('./command-line') & typeof import('./arguments') &
 *   typeof import('./read') & typeof import('./attributes') & typeof import('./kept') & typeof import('./units') &
 *   typeof import('./sizes')} Door
 */

module.exports = /** @type {Door} */ (
  lazily(require('./table'), [
    [() => require('./names'), ['checkDefaults', 'checkScope', 'optionsOf', 'sideOptions', 'withDefaults']],
    [() => require('./command-line'), ['commandLine', 'flagsOf', 'quoted']],
    [() => require('./arguments'), ['checkArguments']],
    [() => require('./read'), ['readerOf', 'silenceOf']],
    [() => require('./attributes'), ['readAttributes']],
    [() => require('./kept'), ['OF_OWN_JOURNAL', 'OF_PREFIX_ON_RESUME', 'asPrefixOptions', 'differingOptions']],
    [() => require('./kept'), ['givesSameAttributes', 'mergeOptions', 'mergeSide', 'optionsToKeep', 'withoutFixed']],
    [() => require('./units'), ['BYTES', 'MILLISECONDS']],
    [() => require('./sizes'), ['MiB', 'parseSize']],
  ])
)
