'use strict'

const lib = require('../../lib')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'move an object, or everything below a prefix',
  description:
    'Copies an object, or with -r everything below a prefix, and deletes each source once its copy is proved.',
  places: [
    ['<SRC>', '{a place/key}; with -r a prefix'],
    ['<DEST>', '{a place/key}; with -r a prefix'],
  ],
  job: ({ options }, source, destination) => lib.move(source, destination, options),
}
