'use strict'

/** The way through a proxy. */

const net = require('node:net')
const tls = require('node:tls')

/** @typedef {{ url: URL, authorization?: string }} Proxy */
/** @typedef {(error: Error | null, socket?: net.Socket) => void} OnSocket */

/** How long a proxy may take to open a tunnel. */
const TUNNEL_MS = 10_000

/** The longest answer to a CONNECT that is read. */
const MAX_HEAD = 16_384

/**
 * @param {net.Socket} socket to the proxy
 * @param {Proxy} proxy
 * @param {string} target host and port
 * @param {OnSocket} done called once
 */
function openTunnel(socket, proxy, target, done) {
  let head = ''
  const timer = setTimeout(() => finish(tunnelError('ETIMEDOUT')), TUNNEL_MS)
  const onEnd = () => finish(tunnelError('ECONNRESET'))
  /** @param {Error | null} error */
  const finish = error => {
    clearTimeout(timer)
    socket.off('data', onData).off('error', finish).off('end', onEnd).off('close', onEnd)
    if (!error) return done(null, socket)
    socket.on('error', () => {}).destroy()
    done(error)
  }
  /** @param {Buffer} chunk */
  const onData = chunk => {
    head += chunk.toString('latin1')
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return head.length > MAX_HEAD ? finish(tunnelError('EPROXY')) : undefined
    // Nothing may follow the head: in TLS it is the client that speaks first.
    if (!/^HTTP\/1\.[01] 2\d\d/.test(head) || end + 4 !== head.length) return finish(tunnelError('EPROXY'))
    socket.pause()
    finish(null)
  }
  socket.on('data', onData).on('error', finish).on('end', onEnd).on('close', onEnd)
  const authorization = proxy.authorization ? `Proxy-Authorization: ${proxy.authorization}\r\n` : ''
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`)
}

/** @param {string} code */
function tunnelError(code) {
  return Object.assign(new Error('The proxy opened no tunnel.'), { code })
}

/** @param {URL} url a proxy's @param {import('node:tls').SecureContext} [secureContext] */
function dial(url, secureContext) {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol === 'https:') {
    const servername = net.isIP(host) ? undefined : host
    return tls.connect({ host, port: Number(url.port || 443), servername, secureContext })
  }
  return net.connect({ host, port: Number(url.port || 80), noDelay: true })
}

/** @param {{ host: string, port: number | string }} target */
function authority({ host, port }) {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

module.exports = { authority, dial, openTunnel }
