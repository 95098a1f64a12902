'use strict'

const lib = require('../../lib')
const { addOptions } = require('../options')

/**
 * `xfer help [COMMAND]`. Replaces commander's own, which treats an unknown command as none.
 *
 * @param {import('commander').Command} program
 */
function registerHelp(program) {
  program
    .command('help')
    .summary('print the help of a command')
    .argument('[COMMAND]')
    .helpOption('-h, --help', 'print this help')
    .action(name => {
      if (name === undefined) return program.outputHelp()
      const command = program.commands.find(command => command.name() === name || command.aliases().includes(name))
      if (!command)
        throw new lib.XferError('USAGE', {
          text: `There is no command "${name}".`,
          mistake: 'commander.unknownCommand',
          word: name,
        })
      addOptions(command)
      command.outputHelp()
    })
}

module.exports = { registerHelp }
