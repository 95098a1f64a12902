'use strict'

/** What the servers of the sandbox have in common: how they start and end. */

const { once } = require('node:events')
const http = require('node:http')
const https = require('node:https')

/** How long a store keeps an idle connection. */
const KEEP_ALIVE_MS = 20_000

/**
 * @param {http.RequestListener} listener
 * @param {{ tls?: { key: string, cert: string } }} how
 * @returns {http.Server} of a store, not listening yet
 */
function createStoreServer(listener, { tls }) {
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0, maxHeaderSize: 32_768 }
  const server = tls ? https.createServer({ ...options, ...tls }, listener) : http.createServer(options, listener)
  // Without a listener Node sends `100 Continue` at once, and clients would send bodies that are refused.
  server.on('checkContinue', listener)
  return server
}

/**
 * @param {http.Server} server
 * @param {{ port: number }} at port: 0: any that is free
 * @returns {Promise<{ port: number, origin: string }>} origin: `http://127.0.0.1:PORT`
 */
async function listen(server, { port: wanted }) {
  server.listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const protocol = server instanceof https.Server ? 'https' : 'http'
  return { port, origin: `${protocol}://127.0.0.1:${port}` }
}

/** Also cuts its connections. @param {http.Server} server */
async function closeServer(server) {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

/**
 * The given options over the defaults.
 *
 * @param {string} what they are of, for people
 * @param {any} defaults
 * @param {Record<string, any>} given undefined ones are left out
 * @returns {any}
 * @throws {TypeError} for an option that doesn't exist: a misspelled one would be ignored, and a test with it prove nothing
 */
function withDefaults(what, defaults, given) {
  const unknown = Object.keys(given).find(name => !Object.hasOwn(defaults, name))
  if (unknown !== undefined) throw new TypeError(`${what} has no option "${unknown}"`)
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(chosen) }
}

module.exports = { closeServer, createStoreServer, listen, withDefaults }
