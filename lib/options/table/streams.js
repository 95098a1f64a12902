'use strict'

/** Options of an object that comes from a stream, or is written to one. */

const MiB = 1024 ** 2
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
    name: 'expectSize',
    value: 'bytes',
    type: 'count',
    most: Number.MAX_SAFE_INTEGER,
    help: 'write nothing unless exactly so many bytes come',
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
  {
    name: 'memory',
    value: 'size',
    type: 'size',
    least: 16 * MiB,
    mostBare: TiB,
    defaultText: '512 MiB',
    help: 'memory for what is read and not yet written, in MiB or with a unit such as 2G',
    group: 'streams',
    commands: ['copy'],
    scope: 'stream',
  },
  {
    name: 'tempDir',
    value: 'folder',
    help: 'folder for parts that are too large for that memory',
    group: 'streams',
    commands: ['copy'],
    scope: 'stream',
  },
  {
    name: 'range',
    value: 'bytes',
    help: 'to standard output: only these bytes, from 0: 0-999, or 1000- for all from there, or -500 for the last 500',
    group: 'streams',
    commands: ['copy'],
    scope: 'stream',
  },
]
