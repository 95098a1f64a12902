'use strict'

const { missing } = require('./servers')

module.exports = async () => {
  if (missing.length === 0) return
  process.stderr.write(
    `Left out: the runs against ${missing.join(' and ')}, whose programs are not installed (see CONTRIBUTING.md).\n`,
  )
}
