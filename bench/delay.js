#!/usr/bin/env node
'use strict'

/**
 * A relay that makes a server on this machine far away: each byte comes later by half of a round trip, in both directions.
 *
 *     node bench/delay.js LISTEN_PORT SERVER_PORT ROUND_TRIP_MS
 */

const net = require('node:net')

const HERE = { host: '127.0.0.1', allowHalfOpen: true, noDelay: true }
const [listenPort, serverPort, roundTripMs] = process.argv.slice(2).map(Number)

/** @param {net.Socket} from @param {net.Socket} to */
function relay(from, to) {
  const later = (/** @type {() => void} */ then) => setTimeout(then, roundTripMs / 2)
  from.on('data', piece => later(() => to.write(piece)))
  from.on('end', () => later(() => to.end()))
  from.on('error', () => to.destroy())
}

net
  .createServer(HERE, near => {
    const far = net.connect({ ...HERE, port: serverPort })
    relay(near, far)
    relay(far, near)
  })
  .listen(listenPort, HERE.host)
