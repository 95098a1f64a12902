'use strict'

const { version } = require('../../package.json')

/**
 * @param {import('commander').Command} program
 * @param {import('../run').Process} process
 */
function registerVersion(program, { print, end }) {
  program
    .command('version')
    .summary('print the version')
    .description('Prints the version.')
    .helpOption('-h, --help', 'print this help')
    .action(() => {
      print([version])
      end(0)
    })
}

module.exports = { registerVersion }
