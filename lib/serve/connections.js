'use strict'

/**
 * The connections of a worker, so that silent ones cost little. If there are too many, the one that has been idle for longest
 * ends: idle connections cannot keep callers out.
 */

/** @typedef {import('node:net').Socket} Socket */

/** @param {Pick<Socket, 'remoteAddress' | 'remotePort'>} socket plain or TLS: both have the peer's address */
const peerOf = ({ remoteAddress, remotePort }) => `${remoteAddress} ${remotePort}`

/**
 * @param {import('node:net').Server} server
 * @param {number} most connections at once
 */
function boundConnections(server, most) {
  /** Those without an invocation, the longest idle first. @type {Map<string, Socket>} */
  const idle = new Map()
  /** @type {Map<string, Socket>} */
  const busy = new Map()

  server.on('connection', (/** @type {Socket} */ socket) => {
    const peer = peerOf(socket)
    if (idle.size + busy.size >= most) {
      const [oldest] = idle
      if (!oldest) return void socket.destroy()
      idle.delete(oldest[0])
      oldest[1].destroy()
    }
    idle.set(peer, socket)
    socket.once('close', () => {
      for (const sockets of [idle, busy]) if (sockets.get(peer) === socket) sockets.delete(peer)
    })
  })

  return {
    count: () => idle.size + busy.size,

    /**
     * An invocation begins on this connection.
     *
     * @param {Socket} socket
     * @returns {(() => void) | undefined} ends it; undefined if the connection has one already
     */
    take(socket) {
      const peer = peerOf(socket)
      const own = idle.get(peer)
      if (!own) return undefined
      idle.delete(peer)
      busy.set(peer, own)
      return () => {
        if (busy.delete(peer) && !own.destroyed) idle.set(peer, own)
      }
    },
  }
}

module.exports = { boundConnections }
