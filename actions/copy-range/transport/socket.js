'use strict'

/** Requests over sockets of our own, where a byte costs least. */

const http = require('node:http')
const { authority } = require('../net')
const { giveBack, openConnection, takeIdle } = require('./pool')

/** @typedef {import('.').Call} Call */
/** @typedef {import('.').Handlers} Handlers */

/** Shorter pieces wait for the next one. */
const SMALL_BYTES = 1_024
/** A shorter body goes together with its head: copying it costs less than sending it by itself. */
const JOINED_BYTES = 16 * 1_024

/**
 * @param {import('../task').WireRequest} request
 * @param {{ route: import('../net/routes').Route, fresh: boolean }} how
 * @param {Handlers} on
 * @returns {Call}
 * @throws {NodeJS.ErrnoException} what HTTP cannot carry
 */
function begin(request, how, on) {
  return new SocketCall(request, how, on)
}

/** A request, and what its connection reports: the call's user's side and the connection's side in one. */
class SocketCall {
  /**
   * @param {Parameters<typeof begin>[0]} request
   * @param {Parameters<typeof begin>[1]} how
   * @param {Handlers} on
   */
  constructor(request, { route, fresh }, on) {
    this.route = route
    this.on = on
    /** What is to be sent before the next piece, a character a byte. */
    this.lead = renderHead(request, route)
    this.joined = Number(request.headers['content-length']) <= JOINED_BYTES
    this.sent = false
    this.over = false
    /** @type {import('.').Taker | undefined} */
    this.taker = undefined
    this.stop = () => {}
    /** @type {import('./connection').Connection | undefined} */
    this.connection = takeIdle(route, fresh)
    this.reused = this.connection !== undefined
    if (this.connection) {
      this.connection.begin(this)
      on.open()
    } else {
      const made = (/** @type {import('./connection').Connection} */ found) => {
        this.connection = found
        found.begin(this)
      }
      this.stop = openConnection(route, { made, open: () => on.open(), failed: error => on.lost(error) })
    }
  }

  // The request.

  ended() {
    return this.sent
  }

  /** @param {Buffer} piece @param {import('./slab').Slab} [slab] */
  write(piece, slab) {
    const { lead } = this
    if (this.joined || (!slab && piece.length <= SMALL_BYTES)) {
      this.lead = lead + piece.toString('latin1')
      return true
    }
    this.lead = ''
    return this.connection?.write(lead, piece, slab) ?? false
  }

  flush() {
    const { lead } = this
    this.lead = ''
    if (lead !== '') this.connection?.write(lead)
  }

  end() {
    this.flush()
    this.sent = true
  }

  destroy() {
    this.stop()
    if (!this.over) this.connection?.abandon()
    this.over = true
  }

  answerFirst() {
    this.connection?.answerFirst()
  }

  // The body of the answer.

  /** @param {import('.').Taker} taker */
  start(taker) {
    this.taker = taker
    if (this.over) taker.end()
    else this.connection?.start()
  }

  pause() {
    if (!this.over) this.connection?.pause()
  }

  resume() {
    if (!this.over) this.connection?.resume()
  }

  // What the connection calls.

  /** @param {import('./head').Head} head */
  onHead({ status, headers }) {
    this.on.answer({ status, headers, body: this })
  }

  onContinue() {
    this.on.goOn()
  }

  /** @param {Buffer} piece @param {import('./slab').Slab} slab */
  onData(piece, slab) {
    this.taker?.data(piece, slab)
  }

  onDrain() {
    this.on.drain()
  }

  onEnd() {
    this.over = true
    if (this.connection && this.sent) giveBack(this.route, this.connection)
    else this.connection?.abandon()
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
 * @param {import('../task').WireRequest} request
 * @param {import('../net/routes').Route} route
 */
function renderHead({ method, path, headers }, { proxy, secure, host, port }) {
  if (/[^\x21-\xff]/.test(path)) throw Object.assign(new Error('path'), { code: 'ERR_UNESCAPED_CHARACTERS' })
  let fields = 'Connection: keep-alive\r\n'
  let named = false
  for (const name in headers) {
    if ((plain.has(name) ? name : checkName(name, headers)) === 'host') named = true
    const value = headers[name]
    if (NOT_IN_VALUE.test(value)) throw Object.assign(new Error('header'), { code: 'ERR_INVALID_CHAR' })
    fields += `${name}: ${value}\r\n`
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

/** RFC 9110 section 5.5, with the bytes above ASCII that stores keep in user metadata. */
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/** Names in lower case that were found to be valid; there are some dozens. @type {Set<string>} */
const plain = new Set()
const MOST_PLAIN = 1_000

/**
 * @param {string} name
 * @param {import('../task').WireRequest['headers']} headers
 * @returns {string} in lower case
 * @throws {NodeJS.ErrnoException}
 */
function checkName(name, headers) {
  http.validateHeaderName(name)
  const key = name.toLowerCase()
  if (key === name && plain.size < MOST_PLAIN) plain.add(name)
  // Two readers of the request might each take another one.
  if (key !== name && Object.keys(headers).filter(each => each.toLowerCase() === key).length > 1)
    throw Object.assign(new Error('header'), { code: 'DUPLICATE_HEADER' })
  return key
}

module.exports = { begin }
