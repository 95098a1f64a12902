'use strict'

/**
 * Agents, and which proxy a request goes through: the one that the library's caller gives for a side, or what the environment
 * of the job says. A proxy is passed on as a function, because it may hold a password, and functions are never printed,
 * journalled or sent.
 */

const http = require('node:http')
const https = require('node:https')
const net = require('node:net')
const { createShared } = require('../async')
const {
  MAX_IDLE_MS,
  authority,
  dial,
  lookupWithin,
  openTunnel,
  proxyFor,
  refusal,
  trusting,
} = require('../../actions/copy-range/net')
const { XferError, kindOf, usage } = require('../errors')

/** @typedef {(url: string | URL) => string} FindProxy the proxy of a URL, a URL of http or https; '': none */

/** @type {FindProxy} */
const NO_PROXY = () => ''
const VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap(name => [name, name.toUpperCase()])

/** How much a socket may hold before it asks for a pause: several reads, so that small pieces leave together. */
const SOCKET_BYTES = 262_144

/**
 * A keep-alive agent for one origin, direct or through a proxy.
 *
 * @param {string} origin
 * @param {{ maxFreeSockets?: number, rejectUnauthorized?: boolean, ca?: string, proxy: FindProxy | undefined, guarded?: boolean | 'elsewhere' }} options ca: certificates
 *   to trust besides the usual ones, PEM; proxy: undefined: none; guarded: it connects to no link-local or metadata address,
 *   as the action does not (docs/design/wire.md); `elsewhere`: nor to this machine, because a redirect has led there
 * @returns {import('node:http').Agent}
 * @throws {import('../types').XferError} USAGE when the environment's proxy is no URL
 * @throws {NodeJS.ErrnoException} ADDRESS_REFUSED if it is guarded, and the origin is such an address
 */
function agent(origin, { ca, proxy = NO_PROXY, guarded = false, ...options }) {
  const through = proxy(origin)
  const secure = origin.startsWith('https:')
  // Reading certificates takes time and memory, so plain HTTP skips it.
  const secureContext = ca !== undefined && (secure || through.startsWith('https:')) ? trusting(ca) : undefined
  const settings = {
    keepAlive: true,
    maxFreeSockets: 256,
    highWaterMark: SOCKET_BYTES,
    ...options,
    ...(secureContext && { secureContext }),
    ...(guarded && guard(origin, guarded === 'elsewhere')),
  }
  const way = proxyFor(new URL(origin), {}, through)
  const made = secure ? new https.Agent(settings) : new http.Agent(settings)
  if (way) (secure ? tunnel : forward)(made, way, () => dial(way.url, secureContext))
  else if (!secure) /** @type {any} */ (made).createConnection = connectPlain
  return dropIdle(made)
}

/** @type {ReturnType<typeof createShared<import('node:http').Agent>>} */
const shared = createShared(one => one.destroy())

/**
 * The agents of a store, by origin, which all jobs of the process share.
 *
 * @param {{ ca?: string, proxy: FindProxy | undefined, guarded?: (origin: string) => boolean | 'elsewhere' }} options as for `agent`
 */
function createAgents({ ca, proxy = NO_PROXY, guarded: guardOf = () => false }) {
  /** @type {Map<string, { value: import('node:http').Agent, leave: () => Promise<void> }>} */
  const taken = new Map()
  return {
    /** @param {string} origin */
    of(origin) {
      const guarded = guardOf(origin)
      const make = () => agent(origin, { ca, proxy, guarded })
      const own = taken.get(origin) ?? shared.take(`${origin} ${proxy(origin)} ${guarded} ${ca ?? ''}`, make)
      taken.set(origin, own)
      return own.value
    },
    close() {
      for (const { leave } of taken.values()) void leave()
      taken.clear()
    },
  }
}

/** Judges an address now, and a name when it is looked up; a proxy looks names up itself. @param {string} origin @param {boolean} away @throws {NodeJS.ErrnoException} */
function guard(origin, away) {
  const { ANY_HOST, elsewhere } = require('../../actions/copy-range/address-guard')
  const rules = away ? elsewhere(ANY_HOST) : ANY_HOST
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '')
  const reason = net.isIP(host) ? rules.judge(host, host) : undefined
  if (reason !== undefined) throw refusal(reason)
  return { lookup: lookupWithin(rules) }
}

/** Whether there is a proxy for an origin, valid or not. @param {string} origin @param {FindProxy} [proxy] */
function isProxied(origin, proxy = NO_PROXY) {
  try {
    return proxy(origin) !== ''
  } catch {
    return true
  }
}

/**
 * @param {unknown} given a URL, as a string or an object; `false` or '' for none; undefined: as the environment says
 * @param {'source' | 'destination'} side
 * @param {NodeJS.ProcessEnv} env
 * @returns {FindProxy}
 * @throws {XferError} USAGE; its text never contains the URL
 */
function readProxy(given, side, env) {
  if (given === undefined) return environmentProxy(env)
  if (given === false || given === '') return NO_PROXY
  const bad = (/** @type {string} */ what) =>
    usage(`The ${side}'s proxy is ${what}.`, 'Give a string such as http://host:3128, or false for none.')
  if (typeof given !== 'string' && !(given instanceof URL)) throw bad(`${kindOf(given)}, not a string`)
  const text = String(given)
  try {
    // An environment may leave the scheme out. Here `proxy:3128` is more likely a mistake: it looks like a scheme, too.
    if (!text.includes('://')) throw new TypeError('no scheme')
    proxyFor(new URL('http://store.invalid'), {}, text)
  } catch {
    throw bad('not a URL of http or https')
  }
  return () => text
}

/**
 * @param {NodeJS.ProcessEnv} env of which HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY are read, now
 * @returns {FindProxy} throws USAGE, without the variable's value, if that is no URL
 */
function environmentProxy(env) {
  const variables = Object.fromEntries(VARIABLES.map(name => [name, env[name]]))
  if (!Object.values(variables).some(Boolean)) return NO_PROXY
  return url => {
    try {
      return proxyFor(new URL(url), variables)?.url.href ?? ''
    } catch (cause) {
      const text = 'HTTP_PROXY, HTTPS_PROXY or ALL_PROXY is not an http or https URL.'
      const advice =
        'Correct the variable, or unset it. xfer speaks to no SOCKS proxy: NO_PROXY names hosts to reach without one.'
      throw new XferError('USAGE', { text, advice }, { cause })
    }
  }
}

/** By the requests that a store made. @type {WeakMap<object, FindProxy>} */
const proxies = new WeakMap()

/**
 * Notes the proxy of a data request beside it, so that no function of a platform is sent it.
 *
 * @template {{ url: string }} R
 * @param {R} request
 * @param {FindProxy} proxy
 * @returns {R} the same
 */
function noteProxy(request, proxy) {
  proxies.set(request, proxy)
  return request
}

/** The proxy of a data request that this process sends itself; '': none. @param {{ url: string }} [request] */
function proxyOfRequest(request) {
  return (request && proxies.get(request)?.(request.url)) ?? ''
}

/** Agents of Node's own HTTP client, straight or through a proxy, that keep their connections. */

/** @typedef {import('../../actions/copy-range/net').Proxy} Proxy */
/** @typedef {import('../../actions/copy-range/net').OnSocket} OnSocket */
/** @typedef {{ host: string, port: number | string }} ConnectOptions what `createConnection` is given, as far as we look at it */

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
    req.path = `http://${authority(options)}${req.path}`
    if (proxy.authorization) req.setHeader('proxy-authorization', proxy.authorization)
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

module.exports = { agent, createAgents, isProxied, environmentProxy, NO_PROXY, noteProxy, proxyOfRequest, readProxy }
