'use strict'

/** Servers that are no object store, or a strange one: each a listener of real sockets on a free port. */

const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const http = require('node:http')
const https = require('node:https')
const net = require('node:net')
const { join } = require('node:path')
const tls = require('node:tls')

const PAGE = '<!doctype html><html><head><title>Welcome</title></head><body>It works!</body></html>'

/** Self-signed, for localhost and 127.0.0.1, good for a hundred years. */
const UNTRUSTED = readFileSync(join(__dirname, 'fixtures', 'untrusted.pem'))

/** @param {number} status @param {Record<string, string>} headers @param {string} body */
const always = (status, headers, body) =>
  http.createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-length': String(Buffer.byteLength(body)), ...headers })
    response.end(request.method === 'HEAD' ? undefined : body)
  })

/** A HEAD that tells no size, or no ETag. @param {Record<string, string>} headers */
const bareHead = headers =>
  http.createServer((_, response) => {
    response.sendDate = false
    response.useChunkedEncodingByDefault = false
    response.shouldKeepAlive = false
    response.writeHead(200, headers)
    response.end()
  })

/** @param {string} text */
const raw = text => net.createServer(socket => void socket.on('error', () => {}).end(text))

/** By the name that stands for its port in the table. @type {Record<string, () => net.Server>} */
const ROGUES = {
  html: () => always(200, { 'content-type': 'text/html' }, PAGE),
  htmlEtag: () => always(200, { 'content-type': 'text/html', etag: '"5e2f-website"' }, PAGE),
  html404: () => always(404, { 'content-type': 'text/html' }, PAGE),
  html403: () => always(403, { 'content-type': 'text/html' }, PAGE),
  html500: () => always(500, { 'content-type': 'text/html' }, PAGE),
  json: () => always(200, { 'content-type': 'application/json' }, '{"hello":"world"}'),
  json404: () => always(404, { 'content-type': 'application/json' }, '{"error":"not found"}'),
  redirect: () => always(302, { location: 'http://elsewhere.invalid/login' }, ''),
  emptyXml: () => always(404, { 'content-type': 'application/xml' }, '<?xml version="1.0"?><Error/>'),
  brokenXml: () => always(403, { 'content-type': 'application/xml' }, '<Error><Code>Access'),
  hostileXml: () =>
    always(
      403,
      { 'content-type': 'application/xml' },
      `<Error><Code>\u001b[31mEvil</Code><Message>One.\nTwo. \u001b]0;title\u0007${'x'.repeat(5000)}</Message></Error>`,
    ),
  garbage: () => raw('\u0000\u0001\u0002 this is not HTTP \u00ff\r\n\r\n'),
  ssh: () => raw('SSH-2.0-OpenSSH_9.6\r\n'),
  goTls: () => raw('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'),
  closes: () => net.createServer(socket => void socket.on('error', () => {}).destroy()),
  silent: () => net.createServer(socket => void socket.on('error', () => {}).resume()),
  noEtag: () => bareHead({ 'content-length': '1024' }),
  noLength: () => bareHead({ etag: '"0123"' }),
  // It has no certificate at all: enough to be spoken to in plain HTTP.
  tls: () => tls.createServer({}, socket => void socket.on('error', () => {})),
  untrusted: () => https.createServer({ key: UNTRUSTED, cert: UNTRUSTED }),
}

/**
 * @returns {Promise<{ ports: Record<string, number>, close: () => Promise<void> }>}
 */
async function startRogues() {
  const sockets = new Set()
  const servers = Object.entries(ROGUES).map(([name, make]) => ({ name, server: make() }))
  for (const { server } of servers) {
    server.on('connection', socket => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    server.on('tlsClientError', () => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  return {
    ports: Object.fromEntries(servers.map(({ name, server }) => [name, server.address().port])),
    async close() {
      const closed = servers.map(({ server }) => once(server, 'close'))
      for (const { server } of servers) server.close()
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}

module.exports = { startRogues }
