'use strict'

/**
 * One connection of a synthetic store: HTTP/1.1 by hand (RFC 9112), so that the client is what is measured, and not the
 * store. It trusts its clients: no pipelining, no chunked bodies, nothing is checked that costs anything.
 */

const net = require('node:net')
const { syntheticPiece } = require('../../sandbox/store/synthetic')

/** Bytes that one read may bring: fewer system calls than with Node's 64 KiB, and the processor's cache still holds them. */
const READ_BYTES = 256 * 1024
const MOST_HEAD_BYTES = 64 * 1024
const HEAD_END = '\r\n\r\n'
/** It keeps no bytes that could be read back: it is taken for the store that is known to check what it gets. */
const SERVER = 'xfer-sandbox'

/** All connections of a process read into it: what has come is looked at before the next read, and not kept. */
const shared = Buffer.allocUnsafeSlow(READ_BYTES)

/**
 * @typedef {{ method: string, target: string, headers: Record<string, string> }} Head header names in lower case
 *
 * What becomes of a request: `body` gets its bytes as they come, good only until it returns; `end` gives the answer.
 * @typedef {{ body: (piece: Buffer) => void, end: () => Promise<Answer> }} Exchange
 *
 * `made`: the body is that interval of a made-up object, else it is `body`.
 * @typedef {{
 *   status: number, headers?: Record<string, string | number>, body?: string,
 *   made?: { phase: number, start: number, length: number }, bodiless?: boolean
 * }} Answer
 */

/**
 * @param {net.Socket} accepted of a server with `pauseOnConnect`, or TLS
 * @param {(head: Head) => Exchange} begin
 */
function serveConnection(accepted, begin) {
  const socket = withOwnBuffer(accepted, take)
  socket.on('error', () => {})
  let unread = ''
  /** @type {Exchange | undefined} */
  let exchange
  let bodyLeft = 0

  /** @param {Buffer} piece */
  function take(piece) {
    let at = 0
    while (at < piece.length) {
      if (exchange) {
        const end = Math.min(piece.length, at + bodyLeft)
        bodyLeft -= end - at
        exchange.body(piece.subarray(at, end))
        at = end
      } else {
        const text = unread + piece.toString('latin1', at, at + MOST_HEAD_BYTES)
        const length = text.indexOf(HEAD_END)
        if (length < 0) {
          unread = text
          if (unread.length > MOST_HEAD_BYTES) socket.destroy()
          return
        }
        at += length + HEAD_END.length - unread.length
        unread = ''
        open(parseHead(text.slice(0, length)))
      }
      if (bodyLeft === 0) finish()
    }
  }

  /** @param {Head} head */
  function open(head) {
    exchange = begin(head)
    bodyLeft = Number(head.headers['content-length'] ?? 0)
    if (bodyLeft > 0 && head.headers.expect) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
  }

  function finish() {
    const ended = /** @type {Exchange} */ (exchange)
    exchange = undefined
    ended.end().then(
      answer => send(socket, answer),
      () => socket.destroy(),
    )
  }
}

/**
 * Node gives accepted connections a new buffer for every read, which costs as much as the read does; those that one opens
 * oneself can read into a buffer of one's own. So the accepted connection's handle becomes one of these; TLS has none to give.
 *
 * @param {any} accepted
 * @param {(piece: Buffer) => void} take
 * @returns {net.Socket}
 */
function withOwnBuffer(accepted, take) {
  if (accepted.encrypted) return accepted.on('data', take)
  /** @type {any} */
  const options = {
    handle: accepted._handle,
    onread: {
      buffer: shared,
      callback(/** @type {number} */ bytes) {
        take(shared.subarray(0, bytes))
        return true
      },
    },
  }
  const socket = new net.Socket(options)
  socket.setNoDelay(true)
  socket.on('end', () => socket.end())
  return socket.resume()
}

/** @param {string} text @returns {Head} */
function parseHead(text) {
  const [first, ...lines] = text.split('\r\n')
  const [method, target] = first.split(' ')
  /** @type {Record<string, string>} */
  const headers = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return { method, target, headers }
}

/** @param {net.Socket} socket @param {Answer} answer */
function send(socket, { status, headers = {}, body = '', made, bodiless = false }) {
  const length = made ? made.length : Buffer.byteLength(body)
  const lines = Object.entries({ server: SERVER, 'content-length': length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const head = `HTTP/1.1 ${status} ${status < 300 ? 'OK' : 'Other'}\r\n${lines.join('')}\r\n`
  if (!made || bodiless) {
    socket.write(bodiless ? head : head + body)
    return
  }
  socket.cork()
  socket.write(head, 'latin1')
  const { phase, start } = made
  let sent = 0
  const next = () => {
    if (sent === length || socket.destroyed) return
    const piece = syntheticPiece(phase, start + sent, length - sent)
    sent += piece.length
    socket.write(piece, next)
  }
  next()
  socket.uncork()
  // Two at a time: one is on its way while the other waits.
  next()
}

module.exports = { serveConnection }
