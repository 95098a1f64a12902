'use strict'

const { missing } = require('./servers')

module.exports = async () => {
  if (missing.length === 0) return
  // On a terminal jest has left the cursor behind a message of its own.
  const start = process.stderr.isTTY ? '\n' : ''
  process.stderr.write(
    `${start}Left out: the runs against ${missing.join(', ')}, whose programs are not installed (see CONTRIBUTING.md).\n`,
  )
}
