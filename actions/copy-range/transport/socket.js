'use strict'

/** Requests over sockets of our own, where a byte costs least. */

const http = require('node:http')
const { headerOf } = require('../task')
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
function begin(request, { route, fresh }, on) {
  /** What is to be sent before the next piece, a character a byte. */
  let lead = renderHead(request, route)
  /** @type {import('./connection').Connection | undefined} */
  let connection
  const joined = Number(headerOf(request, 'content-length')) <= JOINED_BYTES
  let ended = false
  let over = false

  /** @type {import('.').Taker | undefined} */
  let taker
  /** @type {import('./connection').User} */
  const user = {
    head({ status, headers }) {
      const body = {
        start,
        pause: () => over || connection?.pause(),
        resume: () => over || connection?.resume(),
      }
      on.answer({ status, headers, body })
    },
    goOn: on.goOn,
    data: (piece, slab) => taker?.data(piece, slab),
    drain: on.drain,
    end() {
      over = true
      if (connection && ended) giveBack(route, connection)
      else connection?.abandon()
      taker?.end()
    },
    lost(error) {
      over = true
      on.lost(error)
      taker?.end()
    },
  }
  /** @param {import('.').Taker} to */
  function start(to) {
    taker = to
    if (over) to.end()
    else connection?.start()
  }

  const idle = takeIdle(route, fresh)
  let stop = () => {}
  if (idle) {
    connection = idle
    idle.begin(user)
    on.open()
  } else {
    stop = openConnection(route, {
      made(found) {
        connection = found
        found.begin(user)
      },
      open: on.open,
      failed: on.lost,
    })
  }

  /** @param {Buffer} piece @param {import('./slab').Slab} [slab] */
  function write(piece, slab) {
    const before = lead
    lead = ''
    return connection?.write(piece, { slab, lead: before }) ?? false
  }

  function flush() {
    const all = Buffer.from(lead, 'latin1')
    lead = ''
    if (all.length > 0) write(all)
  }

  return {
    reused: idle !== undefined,
    ended: () => ended,
    write(piece, slab) {
      if (!joined && (slab || piece.length > SMALL_BYTES)) return write(piece, slab)
      lead += piece.toString('latin1')
      return true
    },
    flush,
    end() {
      flush()
      ended = true
    },
    destroy() {
      stop()
      if (!over) connection?.abandon()
      over = true
    },
    socket: () => connection?.socket,
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
  const forwarded = proxy && !secure
  const names = new Set(Object.keys(headers).map(name => name.toLowerCase()))
  const fields = Object.entries(headers)
  // Two readers of the request might each take another one.
  if (names.size < fields.length) throw Object.assign(new Error('header'), { code: 'DUPLICATE_HEADER' })
  const there = authority({ host, port })
  const usualPort = port === (secure ? 443 : 80)
  if (!names.has('host')) fields.unshift(['Host', usualPort ? there.replace(/:\d+$/, '') : there])
  if (!names.has('connection')) fields.push(['Connection', 'keep-alive'])
  if (forwarded && proxy.authorization) fields.push(['Proxy-Authorization', proxy.authorization])
  for (const [name, value] of fields) {
    http.validateHeaderName(name)
    http.validateHeaderValue(name, value)
  }
  const target = forwarded ? `http://${there}${path}` : path
  return `${method} ${target} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

module.exports = { begin }
