'use strict'

/** The door of this room: the option table and what is made of it. What the help does not need is loaded on first use. */

const { lazily } = require('../lazily')

/**
 * @typedef {typeof import('./table') & typeof import('./arguments') & typeof import('./read') & typeof import('./kept') &
 *   typeof import('./command-line') & typeof import('./quantities')} OptionsDoor
 */

const OF_ARGUMENTS = ['checkArguments', 'checkDefaults', 'checkScope', 'optionsOf', 'sideOptions', 'withDefaults']
const OF_KEPT = [
  ...[
    'OF_OWN_JOURNAL',
    'OF_PLATFORM',
    'OF_PREFIX_ON_RESUME',
    'asPrefixOptions',
    'differingOptions',
    'givesSameAttributes',
  ],
  ...['mergeOptions', 'mergeSide', 'namersOf', 'optionsToKeep', 'withoutFixed'],
]

module.exports = /** @type {OptionsDoor} */ (
  lazily(require('./table'), [
    [() => require('./arguments'), OF_ARGUMENTS],
    [() => require('./read'), ['memoryOf', 'readAttributes', 'readerOf', 'silenceOf']],
    [() => require('./kept'), OF_KEPT],
    [() => require('./command-line'), ['commandLine', 'flagsOf', 'quoted']],
    [() => require('./quantities'), ['BYTES', 'MILLISECONDS', 'MiB', 'parseSize']],
  ])
)
