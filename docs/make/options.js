'use strict'

/** docs/reference/options.md: the help of every command. */

const { execFileSync } = require('node:child_process')
const { join } = require('node:path')
const { NOTE } = require('./note')

const XFER = join(__dirname, '..', '..', 'cli', 'xfer.js')
const COMMANDS = ['copy', 'sync', 'resume', 'verify', 'jobs', 'abort', 'clean', 'deploy', 'doctor']

/** @returns {string} the page */
function optionsPage() {
  const sections = COMMANDS.map(name => {
    const help = execFileSync(process.execPath, [XFER, name, '--help'], { encoding: 'utf8' })
    return `## xfer ${name}\n\n\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`
  })
  return [`# Options\n\n${NOTE}\n`, ...sections].join('\n')
}

module.exports = { optionsPage }
