'use strict'

/** Options of an object that comes from a stream, or is written to one. */

const TiB = 1024 ** 4

/** @type {import('../contract').OptionSpec[]} */
module.exports = [
  {
    name: 'size',
    value: 'size',
    type: 'size',
    mostBare: 200 * TiB,
    help: 'about how much comes from standard input, in MiB or with a unit such as 300G: the parts are then large enough',
    libraryHelp: 'about how much comes from the stream: the parts are then large enough',
    group: 'streams',
    commands: ['copy'],
    scope: 'stream',
  },
  {
    name: 'expectSha256',
    value: 'hex',
    help: 'write nothing unless the source has this SHA-256; what is no stream is read once more for it, in order, by this machine',
    group: 'streams',
    commands: ['copy'],
    scope: 'object',
    kept: true,
  },
]
