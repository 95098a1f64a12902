'use strict'
async function openServers() {
  throw new Error('not yet')
}
module.exports = { openServers }
