'use strict'

/** The options of files. The help loads this file: it requires nothing. */

/** @type {import('../../options/contract').OptionSpec[]} */
const options = [
  {
    name: 'followLinks',
    flag: '--follow-links',
    help: 'follow symbolic links below the source, also out of it (files)',
    group: 'selection',
    sides: ['source'],
    commands: ['copy', 'sync', 'verify'],
    kept: true,
  },
]

/** How a place is written. */
const FORMS = 'path/to/file or file:///path/to/file'

module.exports = { FORMS, options }
