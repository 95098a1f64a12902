'use strict'

const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const tls = require('node:tls')
const { trusting } = require('../../actions/copy-range/net')
const { AUTHORITY, SERVER, STRANGER } = require('../support/tls')

let server
beforeAll(async () => {
  server = tls.createServer({ key: SERVER, cert: SERVER }, socket => socket.on('error', () => {}).end())
  server.on('tlsClientError', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  server.close()
  await once(server, 'close')
})

/** What comes of a connection to the server: its error, or none. */
async function refusal(secureContext) {
  const socket = tls.connect({ host: '127.0.0.1', port: server.address().port, secureContext })
  try {
    await once(socket, 'secureConnect')
    return undefined
  } catch ({ code }) {
    return code
  } finally {
    socket.destroy()
  }
}

test('what is trusted for one store is trusted for no other', async () => {
  const authority = readFileSync(AUTHORITY, 'utf8')

  expect(await refusal(trusting(authority))).toBeUndefined()
  expect(await refusal(trusting(readFileSync(STRANGER, 'utf8')))).toMatch(/^UNABLE_TO_/)
  expect(await refusal()).toMatch(/^UNABLE_TO_/)
})
