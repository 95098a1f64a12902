'use strict'

/**
 * One connection of a synthetic store: hand-written HTTP/1.1 (RFC 9112), so that the client is measured, and not the store.
 * It trusts its clients: no pipelining, no chunked bodies, and no checks that cost time.
 */

const net = require('node:net')
const { syntheticPiece } = require('../../sandbox/common/synthetic')

/** The most bytes of one read: fewer system calls than with Node's 64 KiB, and they still fit into the processor's cache. */
const READ_BYTES = 256 * 1024
const MOST_HEAD_BYTES = 64 * 1024
const HEAD_END = '\r\n\r\n'
/** Bytes cannot be read back, so it poses as a store that is known to check what it gets. */
const SERVER = 'xfer-sandbox'

/** All connections of a process read into this buffer: its content is used before the next read, and not kept. */
const shared = Buffer.allocUnsafeSlow(READ_BYTES)

/**
 * @typedef {{ method: string, target: string, headers: Record<string, string> }} Head header names in lower case
 *
 * The handler of a request: `body` gets its bytes as they come, valid only until it returns; `end` gives the answer.
 * @typedef {{ body: (piece: Buffer) => void, end: () => Promise<Answer> }} Exchange
 *
 * `made`: the body is that interval of a synthetic object; else it is `body`.
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
 * Node allocates a new buffer for every read of an accepted connection, which costs as much as the read. A connection that is
 * made with `new net.Socket` can read into a given buffer, so the accepted connection's handle is moved to one. TLS cannot.
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
  // Two pieces at a time: one is in flight while the other waits.
  next()
}

module.exports = { serveConnection }
