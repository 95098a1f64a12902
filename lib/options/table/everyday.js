'use strict'

/** Options of the commands about one location. */

/** @type {import('../contract').OptionSpec[]} */
module.exports = [
  {
    name: 'recursive',
    short: '-r',
    alsoShort: ['-R'],
    help: 'list every object below LOCATION, not only one level; -R is the same',
    libraryHelp: 'list every object below the location, not only one level',
    group: 'common',
    commands: ['ls'],
  },
  {
    name: 'human',
    short: '-H',
    help: 'print sizes with a unit, such as 1.50 GiB',
    group: 'common',
    commands: ['ls', 'du'],
    cliOnly: true,
  },
  {
    name: 'expires',
    value: 'duration',
    type: 'duration',
    unit: 's',
    least: 1000,
    default: '1h',
    help: 'how long the URL is good for, in seconds or with a unit such as 15m or 7d',
    group: 'common',
    commands: ['presign'],
  },
  {
    name: 'region',
    value: 'region',
    defaultText: 'that of the configuration',
    help: 'region of the new bucket',
    group: 'common',
    commands: ['mb'],
  },
  {
    name: 'summarize',
    short: '-s',
    help: 'print only the total, which many lists at once add up',
    group: 'common',
    commands: ['du'],
    cliOnly: true,
  },
  {
    name: 'onPrefix',
    flag: false,
    type: 'function',
    shape: '(prefix: PrefixUsage) => unknown',
    help: 'called with each prefix of one level when it is added up; a promise is waited for',
    group: 'output',
    commands: ['du'],
  },
]
