'use strict'

const lib = require('../../lib')
const { jsonLine, printable } = require('../format')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'create a bucket',
  description: 'Creates a bucket or a container.',
  places: [['<LOCATION>', '{a store}']],
  what: 'creation',
  async work({ process, flags, options, signal, onEvent }, location) {
    const made = await lib.makeBucket(location, { ...options, signal, onEvent })
    process.print([flags.json ? jsonLine(made) : printable(`Created ${made.location.replace(/\/$/, '')}.`)])
  },
}
