#!/usr/bin/env node
'use strict'

/**
 * A relay that makes a server on this machine far away: each byte comes later by half of a round trip, in both directions.
 *
 *     node bench/delay.js LISTEN_PORT SERVER_PORT ROUND_TRIP_MS
 *
 * LISTEN_PORT 0: any that is free.
 */

const { fork } = require('node:child_process')
const { once } = require('node:events')
const net = require('node:net')

const HERE = { host: '127.0.0.1', allowHalfOpen: true, noDelay: true }

/** @param {net.Socket} from @param {net.Socket} to @param {number} roundTripMs */
function relay(from, to, roundTripMs) {
  const later = (/** @type {() => void} */ then) => setTimeout(then, roundTripMs / 2)
  from.on('data', piece => later(() => to.write(piece)))
  from.on('end', () => later(() => to.end()))
  from.on('error', () => to.destroy())
}

/** @param {number} listenPort @param {number} serverPort @param {number} roundTripMs */
function serve(listenPort, serverPort, roundTripMs) {
  const server = net.createServer(HERE, near => {
    const far = net.connect({ ...HERE, port: serverPort })
    relay(near, far, roundTripMs)
    relay(far, near, roundTripMs)
  })
  server.listen(listenPort, HERE.host, () => {
    const { port } = /** @type {net.AddressInfo} */ (server.address())
    process.send?.(port)
  })
  process.on('disconnect', () => process.exit())
}

/**
 * The same server, far away: the relay is a process of its own.
 *
 * @template {{ endpoint: string }} S
 * @param {S} server
 * @param {number} roundTripMs
 * @returns {Promise<{ server: S, close: () => void }>}
 */
async function moveAway(server, roundTripMs) {
  const child = fork(__filename, ['0', new URL(server.endpoint).port, String(roundTripMs)])
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the relay ended with ${code}`)))
  const [port] = await Promise.race([once(child, 'message'), died])
  return { server: { ...server, endpoint: `http://${HERE.host}:${port}` }, close: () => child.disconnect() }
}

if (require.main === module) {
  const [listenPort, serverPort, roundTripMs] = process.argv.slice(2).map(Number)
  serve(listenPort, serverPort, roundTripMs)
}

module.exports = { moveAway }
