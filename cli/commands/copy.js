'use strict'

/** Commands that copy: `xfer copy`, `sync`, `mv` and `cat`. */

const lib = require('../../lib')
const { copyEither, writeOut } = require('../copying')
const { optionsOf } = require('../options')

/** @type {import('../run').Definition} */
const copy = {
  summary: 'copy an object, or everything below a prefix',
  description:
    'Copies an object, or with -r everything below a prefix, from one store to another. The bytes do not pass through this machine, unless it is the engine.',
  places: [
    ['<SRC>', '{a place/key}; with -r a prefix; - for standard input'],
    ['<DEST>', 'the same; - for standard output'],
  ],
  action: process => (source, destination, flags) =>
    copyEither(process, { source, destination, flags, recursive: flags.recursive && 'copy' }),
}

/** @type {import('../run').Definition} */
const sync = {
  summary: 'copy what is missing or different below a prefix',
  description: 'Copies the objects below SRC that are missing or different below DEST.',
  places: [
    ['<SRC>', '{a place/prefix}'],
    ['<DEST>', '{a place/prefix}'],
  ],
  action: process => (source, destination, flags) =>
    copyEither(process, { source, destination, flags, recursive: 'sync' }),
}

/** @type {import('../run').Definition} */
const mv = {
  summary: 'move an object, or everything below a prefix',
  description:
    'Copies an object, or with -r everything below a prefix, and deletes each source once its copy is proved.',
  places: [
    ['<SRC>', '{a place/key}; with -r a prefix'],
    ['<DEST>', '{a place/key}; with -r a prefix'],
  ],
  job: ({ options }, source, destination) => lib.move(source, destination, options),
}

/** @type {import('../run').Definition} */
const cat = {
  summary: 'write objects to standard output',
  description:
    'Writes the bytes of objects to standard output, one object after the other. They pass through this machine.',
  places: [['<LOCATION...>', '{a place/key}']],
  action: process => (locations, flags) => {
    const { verbose = false, progress = verbose } = flags
    return writeOut(process, {
      locations,
      flags: { ...flags, progress },
      options: () => optionsOf('cat', flags),
      silent: !verbose,
    })
  },
}

module.exports = { copy, sync, mv, cat }
