'use strict'

const lib = require('../../lib')
const table = require('../../lib/options')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'compare two objects, or everything below two prefixes',
  description:
    'Checks whether two objects, or with -r all objects below two prefixes, have equal contents, by the cheapest proof that there is.',
  places: [
    ['<SRC>', '{a place/key}; with -r a prefix'],
    ['<DEST>', '{a place/key}; with -r a prefix'],
  ],
  what: 'comparison',
  words: () => require('../reporters/comparison-words'),
  job({ flags, options }, source, destination) {
    if (flags.recursive) return lib.verifyPrefix(source, destination, options)
    table.checkScope('verify', options)
    return lib.verify(source, destination, options)
  },
}
