'use strict'

/** The connections of this container. They outlive an invocation, so that the next one finds them open. */

const net = require('node:net')
const tls = require('node:tls')
const { MAX_IDLE_MS, authority, dial, openTunnel } = require('../net')
const { createConnection } = require('./connection')

/** @typedef {import('../net/routes').Route} Route */
/** @typedef {import('./connection').Connection} Connection */

const MOST_IDLE = 256
const MOST_SESSIONS = 100

/** Oldest first. @type {Map<string, Array<{ connection: Connection, sinceMs: number }>>} */
const idle = new Map()

/** What resumes TLS with a server that was spoken to before (RFC 8446 section 2.2). @type {Map<string, Buffer>} */
const sessions = new Map()

/** @type {WeakMap<import('node:tls').SecureContext, number>} */
const contexts = new WeakMap()
let lastContext = 0

/** @type {WeakMap<Route, string>} */
const keys = new WeakMap()

/** @param {Route} route @returns {string} */
function keyOf(route) {
  const key = keys.get(route) ?? makeKey(route)
  keys.set(route, key)
  return key
}

/** @param {Route} route */
function makeKey({ secure, host, port, proxy, secureContext, rules }) {
  if (secureContext && !contexts.has(secureContext)) contexts.set(secureContext, ++lastContext)
  const trust = secureContext ? contexts.get(secureContext) : 0
  return `${secure ? 'https' : 'http'} ${host} ${port} ${proxy?.url.href ?? ''} ${trust} ${rules}`
}

/**
 * An idle connection for this route.
 * @param {Route} route
 * @param {boolean} fresh whether idle ones are not to be trusted: they are closed
 * @returns {Connection | undefined}
 */
function takeIdle(route, fresh) {
  const key = keyOf(route)
  const list = idle.get(key) ?? []
  const oldestMs = fresh ? Number.POSITIVE_INFINITY : Date.now() - MAX_IDLE_MS
  while (list.length > 0 && list[0].sinceMs < oldestMs) list.shift()?.connection.socket.destroy()
  let connection = list.pop()?.connection
  // It may have ended a moment ago.
  while (connection && !connection.usable()) connection = list.pop()?.connection
  if (list.length === 0) idle.delete(key)
  connection?.socket.ref()
  return connection
}

/**
 * Keeps a connection for another exchange, if it can carry one.
 * @param {Route} route
 * @param {Connection} connection
 */
function giveBack(route, connection) {
  const key = keyOf(route)
  const list = idle.get(key) ?? []
  if (!connection.usable() || list.length >= MOST_IDLE) return void connection.socket.destroy()
  connection.socket.unref()
  list.push({ connection, sinceMs: Date.now() })
  idle.set(key, list)
}

/**
 * @param {Route} route
 * @param {{ made: (connection: Connection) => void, open: () => void, failed: (error: Error) => void }} told made: at once but
 *   for a tunnel through a proxy; failed: where there is none that could tell
 * @returns {() => void} ends what is not made yet
 */
function openConnection(route, { made, open, failed }) {
  const { secure, proxy, secureContext } = route
  if (!proxy || !secure) {
    made(watched(route, connectionBy(route), open))
    return () => {}
  }
  const way = dial(proxy.url, secureContext)
  let stop = () => void way.destroy()
  openTunnel(way, proxy, authority(route), error => {
    if (error) return failed(error)
    // From now on the socket belongs to the connection.
    stop = () => {}
    const through = createConnection(
      ({ data }) => tls.connect({ ...tlsOptions(route), socket: way }).on('data', data),
      true,
    )
    made(watched(route, through, open))
  })
  return () => stop()
}

/** @param {Route} route straight to the store, or to the proxy of one without TLS */
function connectionBy(route) {
  const { secure, host, port, lookup, proxy, secureContext } = route
  if (proxy) return createConnection(({ data }) => dial(proxy.url, secureContext).on('data', data), false)
  return createConnection(({ onread }) => {
    const options = { port, lookup, onread }
    return secure ? tls.connect({ ...tlsOptions(route), ...options }) : net.connect({ host, ...options })
  }, secure)
}

/** @param {Route} route @returns {import('node:tls').ConnectionOptions} host: whose certificate it must be */
function tlsOptions(route) {
  const { host, secureContext } = route
  const servername = net.isIP(host) ? undefined : host
  return { host, servername, secureContext, session: sessions.get(keyOf(route)), ALPNProtocols: ['http/1.1'] }
}

/** @param {Route} route @param {Connection} connection @param {() => void} open */
function watched(route, connection, open) {
  const { socket } = connection
  const key = keyOf(route)
  socket.setNoDelay(true).setKeepAlive(true, 1_000)
  socket.once(socket instanceof tls.TLSSocket ? 'secureConnect' : 'connect', open)
  socket.on('session', session => {
    if (sessions.size >= MOST_SESSIONS) sessions.clear()
    sessions.set(key, session)
  })
  // The server may have refused the resumed session.
  socket.once('error', () => sessions.delete(key))
  socket.once('close', () => {
    const list = idle.get(key)
    const at = list?.findIndex(one => one.connection === connection) ?? -1
    if (list && at >= 0) list.splice(at, 1)
    if (list?.length === 0) idle.delete(key)
  })
  return connection
}

/** Closes every idle connection. */
function closeIdle() {
  for (const list of idle.values()) for (const { connection } of [...list]) connection.socket.destroy()
  idle.clear()
  sessions.clear()
}

module.exports = { closeIdle, giveBack, openConnection, takeIdle }
