'use strict'

/** Agents of Node's own HTTP client, straight or through a proxy, that keep their connections. */

const http = require('node:http')
const https = require('node:https')
const net = require('node:net')
const { MAX_IDLE_MS, authority, dial, openTunnel } = require('../../actions/copy-range/net')

/** @typedef {import('node:http').AgentOptions & import('node:https').AgentOptions & import('node:tls').ConnectionOptions} AgentOptions */
/** @typedef {import('../../actions/copy-range/net').Proxy} Proxy */
/** @typedef {import('../../actions/copy-range/net').OnSocket} OnSocket */
/** @typedef {{ host: string, port: number | string }} ConnectOptions what `createConnection` is given, as far as we look at it */

/** How much a socket may hold before it asks for a pause: several reads, so that small pieces leave together. */
const SOCKET_BYTES = 262_144

/**
 * An agent that keeps connections, for one scheme, straight or through a proxy.
 * @param {boolean} secure
 * @param {Proxy | undefined} proxy
 * @param {AgentOptions} [options]
 * @returns {http.Agent} an `https.Agent` when secure
 */
function createAgent(secure, proxy, options) {
  const settings = { keepAlive: true, maxFreeSockets: 256, highWaterMark: SOCKET_BYTES, ...options }
  const dialProxy = () => dial(/** @type {Proxy} */ (proxy).url, options?.secureContext)
  const agent = secure ? new https.Agent(settings) : new http.Agent(settings)
  if (!proxy && !secure) /** @type {any} */ (agent).createConnection = connectPlain
  if (proxy && secure) tunnel(agent, proxy, dialProxy)
  if (proxy && !secure) forward(agent, proxy, dialProxy)
  return dropIdle(agent)
}

/** @param {http.Agent} agent */
function dropIdle(agent) {
  const pool = /** @type {any} */ (agent)
  const { addRequest, keepSocketAlive } = pool
  /** @type {WeakMap<net.Socket, number>} */
  const idleSince = new WeakMap()
  pool.keepSocketAlive = (/** @type {net.Socket} */ socket) => {
    idleSince.set(socket, Date.now())
    return keepSocketAlive.call(agent, socket)
  }
  pool.addRequest = (/** @type {http.ClientRequest} */ req, /** @type {ConnectOptions} */ options) => {
    const oldest = Date.now() - MAX_IDLE_MS
    for (const sockets of Object.values(agent.freeSockets)) {
      for (const socket of sockets ?? []) if ((idleSince.get(socket) ?? 0) < oldest) socket.destroy()
    }
    return addRequest.call(agent, req, options)
  }
  return agent
}

/**
 * Sends plain HTTP through a proxy: the request names the whole URL (RFC 9112 section 3.2.2, absolute-form). Proxies
 * commonly refuse CONNECT to port 80.
 * @param {http.Agent} agent
 * @param {Proxy} proxy
 * @param {() => net.Socket} dialProxy
 */
function forward(agent, proxy, dialProxy) {
  const pool = /** @type {any} */ (agent)
  const { addRequest } = pool
  pool.createConnection = (/** @type {ConnectOptions} */ _options, /** @type {OnSocket} */ _done) => dialProxy()
  pool.addRequest = (/** @type {any} */ req, /** @type {ConnectOptions} */ options) => {
    // A request that expects a 100 has rendered and queued its head before the agent sees it: have it do so again.
    Object.assign(req, { _header: null, _headerSent: false, outputData: [], outputSize: 0 })
    req.path = `http://${authority(options)}${req.path}`
    if (proxy.authorization) req.setHeader('proxy-authorization', proxy.authorization)
    if (req.getHeader('expect')) req._implicitHeader()
    return addRequest.call(agent, req, options)
  }
}

/**
 * Reaches HTTPS through a proxy: CONNECT (RFC 9110 section 9.3.6), and TLS with the store inside of it.
 * @param {http.Agent} agent
 * @param {Proxy} proxy
 * @param {() => net.Socket} dialProxy
 */
function tunnel(agent, proxy, dialProxy) {
  const pool = /** @type {any} */ (agent)
  const { createConnection } = pool
  pool.createConnection = (/** @type {ConnectOptions} */ options, /** @type {OnSocket} */ done) => {
    openTunnel(dialProxy(), proxy, authority(options), (error, socket) => {
      if (error) return done(error)
      done(null, createConnection.call(agent, { ...options, socket }))
    })
  }
}

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

module.exports = { createAgent }
