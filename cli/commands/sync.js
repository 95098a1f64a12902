'use strict'

const { copyEither } = require('../copying')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'copy what is missing or different below a prefix',
  description: 'Copies the objects below SRC that are missing or different below DEST.',
  places: [
    ['<SRC>', '{a place/prefix}'],
    ['<DEST>', '{a place/prefix}'],
  ],
  action: process => (source, destination, flags) =>
    copyEither(process, { source, destination, flags, recursive: 'sync' }),
}
