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
  {
    name: 'inplace',
    flag: '--inplace',
    help: 'write into the destination itself, and not under another name beside it; a copy that fails leaves it half written (files)',
    group: 'places',
    sides: ['destination'],
    commands: ['copy', 'sync'],
    kept: true,
    fixed: true,
  },
  {
    name: 'preserveMode',
    flag: '--preserve-mode',
    help: 'keep the permissions of files, up as the metadata "mode", as of rclone, and down from there; never setuid, setgid or sticky (files)',
    group: 'attributes',
    everySide: true,
    commands: ['copy', 'sync'],
    kept: true,
  },
]

/** How a place is written. */
const FORMS = 'path/to/file or file:///path/to/file'

module.exports = { FORMS, options }
