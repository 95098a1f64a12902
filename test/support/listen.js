'use strict'

/** Servers of tests' own, that answer as no store or platform does: on a free port, and gone when the test is over. */

const { once } = require('node:events')

/** @type {Array<() => Promise<unknown>>} */
const closers = []

/** Before the servers go, in reverse order: what a test has opened on them. @param {() => unknown} close */
const closing = close => void closers.push(async () => close())

async function closeStores() {
  for (const close of closers.splice(0).reverse()) await close()
}
afterEach(closeStores)

/**
 * @template {import('node:net').Server} Server
 * @param {Server} server
 * @returns {Promise<{ server: Server, port: number, url: string, sockets: Set<import('node:net').Socket>, connections: number }>} sockets:
 *   those that are open; connections: how many there ever were
 */
async function listen(server) {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  const store = { server, port: 0, url: '', sockets, connections: 0 }
  server.on('connection', socket => {
    store.connections++
    sockets.add(socket.on('error', () => {}))
    socket.on('close', () => sockets.delete(socket))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing(async () => {
    for (const socket of sockets) socket.destroy()
    await once(server.close(), 'close')
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return Object.assign(store, { port, url: `http://127.0.0.1:${port}` })
}

module.exports = { closeStores, closing, listen }
