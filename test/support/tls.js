'use strict'

/** Servers with a certificate of a private authority. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { startRelay } = require('./relay')

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
  const { port, close } = await startRelay(target, { key: SERVER, cert: SERVER })
  return { port, endpoint: `https://127.0.0.1:${port}`, close }
}

module.exports = { AUTHORITY, SERVER, STRANGER, startTlsRelay }
