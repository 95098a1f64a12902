'use strict'

const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const tls = require('node:tls')
const { trusting } = require('../../actions/copy-range/net')
const { listen } = require('../support/listen')
const { AUTHORITY, SERVER, STRANGER } = require('../support/tls')

test('what is trusted for one store is trusted for no other', async () => {
  const server = tls.createServer({ key: SERVER, cert: SERVER }, socket => socket.end()).on('tlsClientError', () => {})
  const { port } = await listen(server)
  /** What comes of a connection to the server: its error, or none. @param {tls.SecureContext} [secureContext] */
  async function refusal(secureContext) {
    const socket = tls.connect({ host: '127.0.0.1', port, secureContext })
    const [failure] = await once(socket, 'secureConnect').catch(error => [error])
    socket.destroy()
    return failure?.code
  }

  expect(await refusal(trusting(readFileSync(AUTHORITY, 'utf8')))).toBeUndefined()
  expect(await refusal(trusting(readFileSync(STRANGER, 'utf8')))).toMatch(/^UNABLE_TO_/)
  expect(await refusal()).toMatch(/^UNABLE_TO_/)
})
