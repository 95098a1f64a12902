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
    commands: ['ls'],
    cliOnly: true,
  },
]
