'use strict'

const lib = require('../../lib')

/** The lines that install the script for each shell. */
function examples() {
  const { INSTALL } = require('../completion')
  const lines = Object.entries(INSTALL).map(([shell, line]) => `  ${shell.padEnd(4)}  ${line}`)
  return `
To install it, type the line for your shell, and open a new terminal:
${lines.join('\n')}

It completes commands, options, their values, names of files, and the ids of
jobs. Each new terminal asks xfer for the script, so it knows all options of the
version that is installed.

Exit status: 0 printed, 2 usage.`
}

/**
 * @param {import('commander').Command} program with all of its commands
 * @param {import('../run').Process} process
 */
function registerCompletion(program, { out, env, end }) {
  program
    .command('completion')
    .summary('print a completion script for bash, zsh or fish')
    .description('Prints a script that lets your shell complete command lines of xfer.')
    .argument('[SHELL]', 'bash, zsh or fish')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', examples)
    .action(shell => {
      const { SHELLS, scriptFor } = require('../completion')
      if (!SHELLS.includes(shell)) throw unknownShell(shell, env.SHELL)
      out.write(scriptFor(shell, program))
      end(0)
    })
}

/** @param {string | undefined} shell as it was named @param {string} [path] of the user's own shell */
function unknownShell(shell, path = '') {
  const { INSTALL, SHELLS } = require('../completion')
  const advice = `Name ${SHELLS.join(', ').replace(/, (\w+)$/, ' or $1')}: xfer help completion says how to install it.`
  if (shell !== undefined)
    return new lib.XferError('USAGE', { text: `There is no completion for the shell "${shell}".`, advice })
  const [, own = ''] = /([^/]*)$/.exec(path) ?? []
  return new lib.XferError('USAGE', {
    text: 'No shell was named.',
    advice: SHELLS.includes(own) ? `Yours seems to be ${own}. To install the completion: ${INSTALL[own]}` : advice,
  })
}

module.exports = { registerCompletion }
