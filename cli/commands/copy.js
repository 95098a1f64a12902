'use strict'

const { copyEither } = require('../copying')

/** @type {import('../run').Definition} */
module.exports = {
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
