'use strict'

const { optionsOf } = require('../options')
const { writeOut } = require('../copying')

/** @type {import('../run').Definition} */
module.exports = {
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
