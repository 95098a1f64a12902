'use strict'

const { once } = require('node:events')
const net = require('node:net')
const tls = require('node:tls')

/**
 * Passes connections on to a port of this machine, and can tell which are open: who is done with a server has none.
 *
 * @param {number} target
 * @param {tls.TlsOptions} [secure] it speaks TLS to its clients, with this key and certificate
 * @param {(bytes: Buffer, socket: net.Socket) => void} [hear] what clients send
 */
async function startRelay(target, secure, hear = () => {}) {
  /** @type {Set<net.Socket>} */
  const open = new Set()
  let closed = () => {}
  let opened = 0
  /** @param {net.Socket} inward */
  function pass(inward) {
    const outward = net.connect(target, '127.0.0.1')
    inward
      .on('data', bytes => hear(bytes, inward))
      .pipe(outward)
      .pipe(inward)
    inward.on('error', () => outward.destroy()).on('close', () => outward.destroy())
    outward.on('error', () => inward.destroy()).on('close', () => inward.destroy())
  }
  const server = secure ? tls.createServer(secure, pass) : net.createServer(pass)
  server.on('tlsClientError', () => {})
  server.on('connection', socket => {
    opened++
    open.add(socket)
    socket.on('close', () => {
      open.delete(socket)
      if (open.size === 0) closed()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: server.address().port,
    /** Connections there ever were. */
    opened: () => opened,
    /** Resolves when none is open. */
    idle: () =>
      new Promise(resolve => {
        closed = resolve
        if (open.size === 0) resolve()
      }),
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
}

module.exports = { startRelay }
