'use strict'

/** Servers with a certificate of a private authority. */

const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const net = require('node:net')
const { join } = require('node:path')
const tls = require('node:tls')

/** The authority's certificate: what `--ca-bundle` is to name. */
const AUTHORITY = join(__dirname, 'tls', 'authority.pem')
/** Of a server that nobody knows: no authority for it. */
const STRANGER = join(__dirname, 'tls', 'untrusted.pem')

/** Key and certificate of a server on this machine, from that authority. */
const SERVER = readFileSync(join(__dirname, 'tls', 'server.pem'))

/**
 * Speaks TLS in front of a port of this machine that does not.
 *
 * @param {number} target
 * @returns {Promise<{ port: number, endpoint: string, close: () => Promise<void> }>}
 */
async function startTlsRelay(target) {
  /** @type {Set<net.Socket>} */
  const open = new Set()
  const server = tls.createServer({ key: SERVER, cert: SERVER }, inward => {
    const outward = net.connect(target, '127.0.0.1')
    inward.pipe(outward).pipe(inward)
    inward.on('error', () => outward.destroy()).on('close', () => outward.destroy())
    outward.on('error', () => inward.destroy()).on('close', () => inward.destroy())
  })
  server.on('connection', socket => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  return {
    port,
    endpoint: `https://127.0.0.1:${port}`,
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
}

module.exports = { AUTHORITY, SERVER, STRANGER, startTlsRelay }
