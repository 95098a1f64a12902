'use strict'

const net = require('node:net')

/** Takes a quarter less processor time a byte than Node's own reads of 64 KiB; more only costs memory. */
const READ_BYTES = 512 * 1024

/**
 * Where every read of this thread lands. One buffer is enough for all sockets: what was read is passed on before the next
 * read, and Node's HTTP parser copies what it keeps of a body.
 * @type {Buffer | undefined}
 */
let landing

/**
 * A TCP connection that reads in large pieces, for Node's HTTP client, which gets them as ordinary `data` events. Nothing else
 * may read from it: a piece is valid only until its event is over.
 * @param {net.NetConnectOpts} options
 * @returns {net.Socket}
 */
function connectPlain(options) {
  landing ??= Buffer.allocUnsafeSlow(READ_BYTES)
  const socket = net.connect({
    ...options,
    onread: {
      buffer: landing,
      callback(bytes, buffer) {
        socket.emit('data', buffer.subarray(0, bytes))
        return true
      },
    },
  })
  return socket
}

module.exports = { connectPlain }
