'use strict'

const { once } = require('node:events')
const net = require('node:net')

/**
 * Passes connections on to a port of this machine, and can tell which are open: who is done with a server has none.
 *
 * @param {number} target
 */
async function startRelay(target) {
  /** @type {Set<net.Socket>} */
  const open = new Set()
  let closed = () => {}
  let opened = 0
  const server = net.createServer(inward => {
    opened++
    open.add(inward)
    const outward = net.connect(target, '127.0.0.1')
    inward.pipe(outward).pipe(inward)
    inward
      .on('error', () => outward.destroy())
      .on('close', () => {
        outward.destroy()
        open.delete(inward)
        if (open.size === 0) closed()
      })
    outward.on('error', () => inward.destroy()).on('close', () => inward.destroy())
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
