'use strict'

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const lib = require('../../lib')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'print a completion script for bash, zsh or fish',
  description: 'Prints a script that lets your shell complete command lines of xfer.',
  places: [['[SHELL]', 'bash, zsh or fish']],
  action:
    ({ out, end }) =>
    (shell = '') => {
      if (!require('../completion').SHELLS.includes(shell)) {
        const text = shell === '' ? 'No shell was named.' : `There is no completion for the shell "${shell}".`
        const advice = 'Name bash, zsh or fish: xfer help completion says how to install it.'
        throw new lib.XferError('USAGE', { text, advice })
      }
      out.write(readFileSync(join(__dirname, '..', 'completion', `xfer.${shell}`)))
      end(0)
    },
}
