'use strict'

const { once } = require('node:events')

/**
 * A server on a free port of this machine, until it is closed with all its connections.
 *
 * @param {import('node:http').Server | import('node:https').Server} server
 * @returns {Promise<{ port: number, endpoint: string, close: () => Promise<void> }>}
 */
async function serve(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    port,
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

module.exports = { serve }
