'use strict'

/** The completion scripts of the shells. */

const { SHELLS, completedCommands, globalOptions } = require('./model')

/** Each returns the script of a shell. @type {Record<string, () => (program: ReturnType<typeof modelOf>) => string>} */
const SCRIPTS = {
  bash: () => require('./bash').bashScript,
  zsh: () => require('./zsh').zshScript,
  fish: () => require('./fish').fishScript,
}

/** The line that installs the script, to be typed in that shell. @type {Record<string, string>} */
const INSTALL = {
  bash: `echo 'eval "$(xfer completion bash)"' >> ~/.bashrc`,
  zsh: `echo 'eval "$(xfer completion zsh)"' >> ~/.zshrc`,
  fish: `echo 'xfer completion fish | source' >> ~/.config/fish/config.fish`,
}

/** @param {import('commander').Command} program */
function modelOf(program) {
  return { commands: completedCommands(program), globals: globalOptions() }
}

/**
 * @param {string} shell one of SHELLS
 * @param {import('commander').Command} program with all of its commands
 * @returns {string} the script, which ends with a line end
 */
function scriptFor(shell, program) {
  return SCRIPTS[shell]()(modelOf(program))
}

module.exports = { INSTALL, SHELLS, scriptFor }
