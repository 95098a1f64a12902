'use strict'

/**
 * How requests travel, from their URLs to the wire: over sockets of our own, or by a transport of the caller. A transport has
 * one function, `begin`: it gets a connection and sends nothing yet. It reports to the `Handlers`, and is controlled by the `Call`.
 */

const net = require('node:net')
const tls = require('node:tls')
const { createConnection } = require('./connection')
const { Failure } = require('./failure')
const { Misfit } = require('./http1')
const { MAX_IDLE_MS, authority, dial, findRoute, openTunnel } = require('./net')

/** @typedef {import('./slab').Slab} Slab */
/** @typedef {import('./net').Route} Route */
/** @typedef {import('./connection').Connection} Connection */

/**
 * Takes the body of an answer. `data` gets pieces that are valid until it returns or, if they have a slab, as long as that is
 * held. `end` is called once, also if the body broke off: `lost` was called before.
 * @typedef {{ data: (piece: Buffer, slab?: Slab) => void, end: () => void }} Taker
 *
 * @typedef {{ start: (taker: Taker) => void, pause: () => void, resume: () => void }} Body no piece is passed on before `start`
 *
 * The head of an answer, and its body.
 * @typedef {{ status: number, headers: Record<string, string | string[] | undefined>, body: Body }} Answer headers: by their
 *   names in lower case
 *
 * @typedef {object} Handlers
 * @property {() => void} open the connection is open; may be called before `begin` has returned; not for one that was kept
 * @property {(answer: Answer) => void} answer the final one
 * @property {() => void} drain more may be written
 * @property {(error?: NodeJS.ErrnoException) => void} lost the connection broke before the end of the answer; at most once
 *
 * @typedef {object} Call
 * @property {boolean} [reused] whether the connection had carried another exchange: then it is open
 * @property {(piece: Buffer, slab?: Slab) => boolean} write false: no more until `drain`
 * @property {() => void} end ends the request
 * @property {() => void} destroy the connection is closed unless the answer has ended; no handler is called any more
 * @property {() => number | undefined} [unsent] bytes of the request that the kernel has not taken
 * @property {boolean} [answerFirst] whether of a write that fails the answer counts, if it comes soon; of a transport of
 *   the caller it always does
 *
 * Carries requests over no network, to files and memory of this machine. Only a caller in this process can give one.
 * @typedef {{ begin: (request: WireRequest & { local: LocalTarget }, on: Handlers) => Call }} LocalTransport
 *
 * @typedef {Record<string, LocalTransport>} LocalTransports by the scheme of URLs, with its colon
 */

/**
 * A request as it goes on the wire; rule: what its answer means; local: where a transport of the caller carries it, over no
 * network. Then `host` and `path` are empty. elsewhere: it may not go to this machine.
 * @typedef {{
 *   secure: boolean, host: string, port: number, path: string, method: 'GET' | 'PUT', headers: Record<string, string>,
 *   rule: import('../../lib/types').AnswerRule, local?: LocalTarget, elsewhere?: true
 * }} WireRequest
 *
 * @typedef {{
 *   transport: LocalTransport, url: string, held?: SharedArrayBuffer, root?: string,
 *   source?: Answer['headers']
 * }} LocalTarget held, root: as in the task's `DataRequest`; source: of a write, the headers of the answer to the task's read
 */

/**
 * @param {import('../../lib/types').DataRequest} request
 * @param {import('../../lib/types').AnswerRule} rule
 * @param {LocalTransports} [local]
 * @returns {WireRequest}
 * @throws {Failure} BAD_TASK of a URL
 */
function requestOf(request, rule, local) {
  const { method, url, headers, held, root } = request
  const transport = local && typeof url === 'string' ? local[url.slice(0, url.indexOf(':') + 1)] : undefined
  const target = transport
    ? { secure: false, host: '', port: 0, path: '', local: { transport, url, held, root } }
    : splitUrl(url, method === 'GET' ? 'read' : 'write')
  return { ...target, method, headers, rule, ...(request.elsewhere && { elsewhere: /** @type {const} */ (true) }) }
}

/** Where requests go: most tasks go to two or three stores. @type {Map<string, { secure: boolean, host: string, port: number }>} */
const origins = new Map()
/** Origins, routes of a reach, and reaches: a list of links may have thousands. */
const MOST_KEPT = 64

/**
 * Keeps what was made. When there are many, it begins anew.
 * @template T
 * @param {Map<string, T>} all
 * @param {string} key
 * @param {T} value
 * @param {number} [most]
 * @returns {T} the value
 */
function keep(all, key, value, most = MOST_KEPT) {
  if (all.size >= most) all.clear()
  all.set(key, value)
  return value
}

/**
 * Splits a URL without touching its path and query: the signature is over them as they stand, and the URL class would
 * collapse `./` and `../`, which are ordinary characters in a key.
 * @param {unknown} url
 * @param {string} [name] of the request, for the message
 * @throws {Failure} BAD_TASK
 */
function splitUrl(url, name = 'probe') {
  const detail = `the URL of its ${name} is not one of http or https`
  if (typeof url !== 'string' || url.includes('#')) throw new Failure('BAD_TASK', { detail })
  const slash = url.indexOf('/', 8)
  const text = slash < 0 ? url : url.slice(0, slash)
  const path = slash < 0 ? '/' : url.slice(slash)
  const known = origins.get(text)
  if (known) return { ...known, path }
  if (!/^https?:\/\/[^/?#\\\s@]+$/i.test(text)) throw new Failure('BAD_TASK', { detail })
  let parsed
  try {
    parsed = new URL(text)
  } catch {
    throw new Failure('BAD_TASK', { detail })
  }
  const { protocol, hostname, port } = parsed
  const secure = protocol === 'https:'
  const origin = { secure, host: hostname.replace(/^\[|\]$/g, ''), port: port ? Number(port) : secure ? 443 : 80 }
  return { ...keep(origins, text, origin), path }
}

/** The routes of a reach; most tasks go to two or three stores. @type {WeakMap<import('./net').Reach, Map<string, Route>>} */
const routes = new WeakMap()

/**
 * @param {Pick<WireRequest, 'secure' | 'host' | 'port'> & { elsewhere?: true }} request
 * @param {import('./failure').Side} side
 * @param {import('./net').Reach} reach
 * @returns {Route}
 * @throws {Failure} ADDRESS_REFUSED of what can be judged before a name is looked up; UNREACHABLE for a proxy that is none
 */
function routeTo(request, side, reach) {
  const known = routes.get(reach) ?? new Map()
  routes.set(reach, known)
  const key = `${request.secure} ${request.host} ${request.port} ${reach.proxies ? side : ''} ${request.elsewhere ?? ''}`
  return known.get(key) ?? keep(known, key, findRoute(request, side, reach))
}

/** Shorter pieces wait for the next one. */
const SMALL_BYTES = 1_024
/** A shorter body goes together with its head: copying it costs less than sending it by itself. */
const JOINED_BYTES = 16 * 1_024

/**
 * A request over a socket of our own, where a byte costs least, and what its connection reports: the call's user's side and the
 * connection's side in one.
 * @implements {Call}
 */
class SocketCall {
  /**
   * @param {Pick<WireRequest, 'path' | 'headers'> & { method: string }} request
   * @param {{ route: Route, fresh: boolean }} how
   * @param {Handlers} on
   * @throws {NodeJS.ErrnoException} what HTTP cannot carry
   */
  constructor(request, { route, fresh }, on) {
    this.route = route
    this.on = on
    /** What is to be sent before the next piece, a character a byte. */
    this.lead = renderHead(request, route)
    this.joined = Number(request.headers['content-length']) <= JOINED_BYTES
    this.sent = false
    this.over = false
    this.answerFirst = false
    /** @type {Taker | undefined} */
    this.taker = undefined
    /** Ends a tunnel that is not open yet. @type {(() => void) | undefined} */
    this.stop = undefined
    /** @type {Connection | undefined} */
    this.connection = takeIdle(route, fresh)
    this.reused = this.connection !== undefined
    if (this.connection) this.connection.begin(this)
    else openConnection(route, this)
  }

  // The request.

  /** @param {Buffer} piece @param {Slab} [slab] */
  write(piece, slab) {
    const { lead } = this
    if (this.joined || (!slab && piece.length <= SMALL_BYTES)) {
      this.lead = lead + piece.toString('latin1')
      return true
    }
    this.lead = ''
    return this.connection?.write(lead, piece, slab) ?? false
  }

  end() {
    const { lead } = this
    this.lead = ''
    if (lead !== '') this.connection?.write(lead)
    this.sent = true
  }

  destroy() {
    this.stop?.()
    this.taker = undefined
    if (!this.over) this.connection?.abandon()
    this.over = true
  }

  unsent() {
    return this.connection?.unsent()
  }

  // The body of the answer.

  /** @param {Taker} taker */
  start(taker) {
    this.taker = taker
    if (this.over) taker.end()
    else this.connection?.resume()
  }

  pause() {
    if (!this.over) this.connection?.pause()
  }

  resume() {
    if (!this.over) this.connection?.resume()
  }

  // What the connection calls.

  /** The connection is kept for another exchange, if it can carry one. */
  onEnd() {
    this.over = true
    const { connection } = this
    if (!connection || !this.sent) connection?.abandon()
    else if (!connection.usable() || idle.length >= MOST_IDLE) connection.socket.destroy()
    else {
      connection.socket.unref()
      idle.push({ key: this.route.key, connection, sinceMs: Date.now() })
    }
    this.taker?.end()
  }

  /** @param {Error} [error] */
  onLost(error) {
    this.over = true
    this.on.lost(error)
    this.taker?.end()
  }
}

/**
 * RFC 9112 section 3. Through a proxy a request without TLS names the whole URL (section 3.2.2); proxies commonly refuse
 * CONNECT to port 80.
 * @param {ConstructorParameters<typeof SocketCall>[0]} request
 * @param {Route} route
 */
function renderHead({ method, path, headers }, { proxy, secure, host, port }) {
  if (/[^\x21-\xff]/.test(path)) throw Object.assign(new Error('path'), { code: 'ERR_UNESCAPED_CHARACTERS' })
  let fields = 'Connection: keep-alive\r\n'
  const named = headers.host !== undefined
  for (const name in headers) {
    const field = `${name}: ${headers[name]}`
    if (!FIELD.test(field)) throw Object.assign(new Error('header'), { code: 'ERR_INVALID_CHAR' })
    fields += `${field}\r\n`
  }
  const forwarded = proxy && !secure
  const there = named && !forwarded ? '' : authority({ host, port })
  if (!named) {
    const usualPort = port === (secure ? 443 : 80)
    fields = `Host: ${usualPort ? there.replace(/:\d+$/, '') : there}\r\n${fields}`
  }
  if (forwarded && proxy.authorization) fields += `Proxy-Authorization: ${proxy.authorization}\r\n`
  const target = forwarded ? `http://${there}${path}` : path
  return `${method} ${target} HTTP/1.1\r\n${fields}\r\n`
}

/** RFC 9110 sections 5.1 and 5.5, with the bytes above ASCII that stores keep in user metadata. */
const FIELD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+: [\t\x20-\x7e\x80-\xff]*$/

/** The connections of this container. They outlive an invocation, so that the next one finds them open. */

const MOST_IDLE = 512
const MOST_SESSIONS = 100

/** Oldest first. @type {Array<{ key: string, connection: Connection, sinceMs: number }>} */
const idle = []

/** What resumes TLS with a server that was spoken to before (RFC 8446 section 2.2). @type {Map<string, Buffer>} */
const sessions = new Map()

/**
 * An idle connection for this route.
 * @param {Route} route
 * @param {boolean} fresh whether idle ones are not to be trusted: they are closed
 * @returns {Connection | undefined}
 */
function takeIdle({ key }, fresh) {
  const oldestMs = Date.now() - MAX_IDLE_MS
  while (idle.length > 0 && idle[0].sinceMs < oldestMs) idle.shift()?.connection.socket.destroy()
  for (let at = idle.length - 1; at >= 0; at--) {
    if (idle[at].key !== key) continue
    const [{ connection }] = idle.splice(at, 1)
    connection.socket.ref()
    // It may have ended meanwhile.
    if (!fresh && connection.usable()) return connection
    connection.socket.destroy()
  }
  return undefined
}

/**
 * Opens a connection for a call, which has it at once but for a tunnel through a proxy.
 * @param {Route} route
 * @param {SocketCall} call
 */
function openConnection(route, call) {
  const { secure, host, port, lookup, proxy, secureContext } = route
  if (!proxy) {
    connect(route, call, ({ onread }) => {
      const options = { host, port, lookup, onread }
      return secure ? tls.connect({ ...tlsOptions(route), ...options }) : net.connect(options)
    })
  } else if (!secure) {
    connect(route, call, ({ data }) => dial(proxy.url, secureContext).on('data', data))
  } else {
    const way = dial(proxy.url, secureContext)
    call.stop = () => void way.destroy()
    openTunnel(way, proxy, authority(route), error => {
      if (error) return call.on.lost(error)
      // From now on the socket belongs to the connection.
      call.stop = undefined
      connect(route, call, ({ data }) => tls.connect({ ...tlsOptions(route), socket: way }).on('data', data))
    })
  }
}

/** @param {Route} route @returns {import('node:tls').ConnectionOptions} host: whose certificate it must be */
function tlsOptions(route) {
  const { key, host, secureContext } = route
  const servername = net.isIP(host) ? undefined : host
  return { host, servername, secureContext, session: sessions.get(key), ALPNProtocols: ['http/1.1'] }
}

/** @param {Route} route @param {SocketCall} call @param {Parameters<typeof createConnection>[0]} makeSocket */
function connect({ key, secure }, call, makeSocket) {
  const connection = createConnection(makeSocket, secure)
  const { socket } = connection
  socket.setNoDelay(true).setKeepAlive(true, 1_000)
  socket.once(socket instanceof tls.TLSSocket ? 'secureConnect' : 'connect', () => call.on.open())
  socket.on('session', session => keep(sessions, key, session, MOST_SESSIONS))
  // The server may have refused the resumed session.
  socket.once('error', () => sessions.delete(key))
  call.connection = connection
  connection.begin(call)
}

/** Closes every idle connection. */
function closeConnections() {
  for (const { connection } of idle.splice(0)) connection.socket.destroy()
  sessions.clear()
}

module.exports = { Misfit, SocketCall, closeConnections, keep, requestOf, routeTo, splitUrl }
