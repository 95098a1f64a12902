'use strict'

/**
 * A small web server that keeps what RFC 9110 says of ranges and conditions, and misbehaves where an object says so. It is the
 * source in tests of `https://`.
 */

const http = require('node:http')
const https = require('node:https')
const { serve } = require('./serving')
const { SERVER } = require('./tls')

/**
 * What is at a path. What `later` has replaces the rest from the second request on.
 *
 * @typedef {object} Page
 * @property {Buffer} [body]
 * @property {string | null} [etag] null: none
 * @property {string | null} [modified] `Last-Modified`; null: none
 * @property {Record<string, string>} [headers]
 * @property {number} [status] of every answer, whose body is then `body`
 * @property {string | ((count: number) => string)} [location] answers 302 with it; count: of requests for the path
 * @property {boolean} [ranges] false: every answer is the whole object
 * @property {boolean} [heeds] false: it ignores conditions
 * @property {boolean} [chunked] tells no length
 * @property {boolean} [unframed] the body ends with the connection
 * @property {string} [contentRange] of every answer to a range
 * @property {number} [sends] bytes of the body, which then breaks off
 * @property {Buffer} [extra] goes behind the body of every range, whose length tells it
 * @property {boolean} [silent] never answers
 * @property {Record<string, string>} [wants] headers without which it answers 401
 * @property {Page | ((count: number) => Page)} [later] count: of requests for the path
 *
 * @typedef {{ path: string, headers: http.IncomingHttpHeaders }} Seen
 */

/** @param {{ tls?: boolean }} [how] */
async function startHttpsHost({ tls = false } = {}) {
  /** @type {Map<string, Page>} */
  const pages = new Map()
  /** @type {Seen[]} */
  const requests = []
  /** @type {Map<string, number>} */
  const counts = new Map()

  /** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
  function answer(request, response) {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    const page = pages.get(path)
    if (!page) return response.writeHead(404, { 'content-length': 0 }).end()
    const later = typeof page.later === 'function' ? page.later(count) : page.later
    const { location, ...now } = count > 1 ? { ...page, ...later } : page
    if (location === undefined) return answerWith(now, request, response)
    const to = typeof location === 'string' ? location : location(count)
    response.writeHead(302, { 'content-length': 0, location: to }).end()
  }

  const server = tls ? https.createServer({ key: SERVER, cert: SERVER }, answer) : http.createServer(answer)
  const { port, close } = await serve(server)
  const origin = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`
  return {
    origin,
    port,
    requests,
    /** @param {string} path with its query @param {Page} page @returns {string} its address */
    put(path, page) {
      pages.set(path, page)
      counts.delete(path)
      return origin + path
    },
    /** @param {string} path */
    requestsOf: path => requests.filter(request => request.path === path),
    close,
  }
}

const DATE = 'Wed, 01 Jul 2026 10:00:00 GMT'

/** @param {Page} page @param {http.IncomingMessage} request @param {http.ServerResponse} response */
function answerWith(page, { headers }, response) {
  const { body = Buffer.alloc(0), etag = '"one"', modified = DATE, wants = {} } = page
  if (page.silent) return
  const version = { ...(etag !== null && { etag }), ...(modified !== null && { 'last-modified': modified }) }
  const described = { ...version, ...page.headers }
  const refuse = (/** @type {number} */ status, more = {}) =>
    response.writeHead(status, { 'content-length': 0, ...more }).end()
  if (Object.entries(wants).some(([name, value]) => headers[name] !== value)) return refuse(401)
  if (page.status !== undefined) {
    return response.writeHead(page.status, { 'content-length': body.length, ...page.headers }).end(body)
  }
  if (page.heeds !== false && fails(headers, { etag, modified })) return refuse(412)
  const asked = page.ranges === false ? undefined : rangeOf(headers.range, body.length)
  if (asked === 'none') return refuse(416, { 'content-range': `bytes */${body.length}` })
  const piece = asked ? Buffer.concat([body.subarray(asked.start, asked.end + 1), page.extra ?? Buffer.alloc(0)]) : body
  const range = asked && (page.contentRange ?? `bytes ${asked.start}-${asked.end}/${body.length}`)
  response.useChunkedEncodingByDefault = !page.unframed
  response.shouldKeepAlive = !page.unframed
  response.writeHead(asked ? 206 : 200, {
    ...described,
    ...(range && { 'content-range': range }),
    ...(!page.chunked && !page.unframed && { 'content-length': piece.length }),
  })
  if (page.sends === undefined || page.sends >= piece.length) return response.end(piece)
  response.write(piece.subarray(0, page.sends), () => response.destroy())
}

/** Whether a condition fails (RFC 9110 section 13.2.2). @param {http.IncomingHttpHeaders} headers @param {{ etag: string | null, modified: string | null }} page */
function fails({ 'if-match': match, 'if-unmodified-since': since }, { etag, modified }) {
  if (match !== undefined) return etag === null || etag.startsWith('W/') || match !== etag
  return since !== undefined && modified !== null && Date.parse(modified) > Date.parse(since)
}

/** @param {string | undefined} range @param {number} length @returns {{ start: number, end: number } | 'none' | undefined} */
function rangeOf(range, length) {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (from === undefined) return undefined
  if (Number(from) >= length) return 'none'
  return { start: Number(from), end: Math.min(Number(to), length - 1) }
}

module.exports = { DATE, startHttpsHost }
