'use strict'

/**
 * `--live`: the page of the report while a job runs. It is served to this machine alone, to those who have the address, in
 * which is a secret. The job never waits for a viewer.
 */

const { randomBytes, timingSafeEqual } = require('node:crypto')
const { once } = require('node:events')
const http = require('node:http')
const { setTimeout } = require('node:timers/promises')
const lib = require('../../lib')
const { createCollector } = require('./collector')
const { pageOf } = require('./page')

const EVERY_MS = 1_000
const MOST_CONNECTIONS = 50
/** How long the last words of a job may take to viewers that read. */
const LAST_MS = 500

/** A page elsewhere may point a name of its own at this machine: the browser still says that name here. */
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/

const HEADERS = {
  'content-type': 'text/plain',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** What the page may run stands in itself. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "base-uri 'none'; form-action 'none'; connect-src 'self'; frame-ancestors 'none'",
}

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} LiveResponse */

/**
 * @param {number} port 0: any
 * @param {() => void} interrupt as the first Ctrl-C does
 * @param {{ everyMs?: number, watches?: boolean }} [how] everyMs: between two snapshots; watches: a job that goes on without this process
 * @returns {Promise<{ url: string, onEvent: (event: any) => void, close: () => Promise<void> }>} close: after the last event
 * @throws {lib.XferError} USAGE if the port cannot be had
 */
async function openLive(port, interrupt, { everyMs = EVERY_MS, watches = false } = {}) {
  const collector = createCollector()
  const token = randomBytes(16).toString('hex')
  /** @type {Set<LiveResponse>} */
  const viewers = new Set()
  /** @type {NodeJS.Timeout | undefined} */
  let timer

  const snapshot = () => `data: ${JSON.stringify(collector.data())}\n\n`

  function tick() {
    const frame = snapshot()
    // One that has not read the last one is dropped; a browser comes back by itself.
    for (const viewer of viewers) viewer.writableLength > 0 ? viewer.destroy() : viewer.write(frame)
  }

  /** @param {LiveResponse} response */
  function watch(response) {
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' })
    response.write(snapshot())
    viewers.add(response)
    timer ??= setInterval(tick, everyMs)
    response.on('close', () => {
      viewers.delete(response)
      if (viewers.size > 0) return
      clearInterval(timer)
      timer = undefined
    })
  }

  /** @param {Request} request @param {LiveResponse} response */
  function stop({ headers }, response) {
    const { origin, host, 'sec-fetch-site': site = 'same-origin' } = headers
    if (origin !== `http://${host}` || site !== 'same-origin') return answer(response, 403)
    answer(response, 202)
    interrupt()
  }

  /** @type {Record<string, (request: Request, response: LiveResponse) => void>} */
  const routes = {
    'GET ': (_, response) => {
      answer(response, 200, pageOf(collector.data(), { live: true, watches }), PAGE_HEADERS)
    },
    'GET events': (_, response) => watch(response),
    'POST stop': stop,
  }

  const server = http.createServer((request, response) => {
    // Viewers that hang up are no failure of the job.
    for (const stream of [request, response]) stream.on('error', () => {})
    if (!LOOPBACK.test(request.headers.host ?? '')) return answer(response, 403)
    const [, given = '', path] = /^\/([^/]*)\/(.*)$/s.exec(request.url ?? '') ?? []
    const isGiven = given.length === token.length && timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(token))
    const route = isGiven && routes[`${request.method} ${path}`]
    if (!route) return answer(response, isGiven && path === 'stop' ? 403 : 404)
    route(request, response)
  })
  server.maxConnections = MOST_CONNECTIONS
  await once(server.listen(port, '127.0.0.1'), 'listening').catch(cause => {
    const text = `The page of --live cannot be served on port ${port} (${cause.code}).`
    throw new lib.XferError('USAGE', { text, advice: 'Choose another port, or leave it out.' }, { cause })
  })

  return {
    url: `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/${token}/`,
    onEvent: collector.onEvent,
    async close() {
      clearInterval(timer)
      server.close()
      if (viewers.size > 0) {
        const last = `${snapshot()}event: end\ndata:\n\n`
        const read = [...viewers].map(viewer => once(viewer.end(last), 'close'))
        await Promise.race([Promise.allSettled(read), setTimeout(LAST_MS)])
      }
      server.closeAllConnections()
    },
  }
}

/** @param {LiveResponse} response @param {number} status @param {string} [body] @param {Record<string, string>} [headers] */
function answer(response, status, body = `${http.STATUS_CODES[status]}\n`, headers = {}) {
  response.writeHead(status, { ...HEADERS, ...headers }).end(body)
}

module.exports = { openLive }
