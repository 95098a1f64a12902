'use strict'

const { version } = require('../../package.json')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'print the version',
  description: 'Prints the version.',
  action:
    ({ print, end }) =>
    () => {
      print([version])
      end(0)
    },
}
