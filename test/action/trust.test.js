'use strict'

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const tls = require('node:tls')
const { trusting } = require('../../actions/copy-range/net')
const { endOf } = require('../support/bounded-child')
const { AUTHORITY, SERVER, STRANGER } = require('../support/tls')

const BOUND_MS = 20_000

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

/** Connects to the port as one that trusts the stranger, besides what this process trusts anyway. */
const CONNECT = `
const { readFileSync } = require('node:fs')
const { trusting } = require(process.argv[1])
const secureContext = trusting(readFileSync(process.argv[2], 'utf8'))
require('node:tls').connect({ host: '127.0.0.1', port: Number(process.argv[3]), secureContext })
  .on('secureConnect', () => process.exit(0)).on('error', error => process.exit(error.code.startsWith('UNABLE_TO_') ? 3 : 4))`

test.each([
  ['that Node.js reads from a file', [], { NODE_EXTRA_CA_CERTS: AUTHORITY }, 0],
  ['that Node.js takes from the system', ['--use-openssl-ca'], { SSL_CERT_FILE: AUTHORITY }, 0],
  ['with none of which the server was issued', [], {}, 3],
])('a bundle adds to the certificates %s', async (_name, flags, env, status) => {
  const action = require.resolve('../../actions/copy-range/net')
  const args = [...flags, '-e', CONNECT, action, STRANGER, String(server.address().port)]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })

  expect(await endOf(child, BOUND_MS)).toMatchObject({ status, late: false })
})
