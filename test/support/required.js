'use strict'

/** The servers that must be installed, by XFER_TEST_SERVERS: names with commas. */
const REQUIRED = (process.env.XFER_TEST_SERVERS ?? '').split(',')

/** @param {string[]} missing names of servers @throws {Error} where one of them is required */
function insistOn(missing) {
  const wanted = missing.filter(name => REQUIRED.includes(name))
  if (wanted.length > 0) throw new Error(`XFER_TEST_SERVERS names ${wanted.join(', ')}, which is not installed`)
}

module.exports = { insistOn }
