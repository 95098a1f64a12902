'use strict'

/**
 * `--debug`: a line for each request of this process, for each part and object that is through, for what is repeated, and every five
 * seconds for what the scheduler does. Never a query, a header or a body: a signature is a secret for as long as it is good.
 *
 * https://nodejs.org/docs/latest-v20.x/api/diagnostics_channel.html#http
 */

const { subscribe, unsubscribe } = require('node:diagnostics_channel')
const { printable } = require('./format')

const STATE_MS = 5_000
/** Of an event, in this order, where it has them. */
const SHOWN = 'phase call side partNumber name bytes attempt code store limit delayMs peer state elapsedMs'.split(' ')
/** Of the progress. */
const STATE = 'phase inFlight retried throttled slowed away waiting bound bytesPerSecond'.split(' ')
const TOLD = new Set(['part', 'object', 'retry', 'throttle', 'hedge', 'outage', 'phase'])

/**
 * @param {(line: string) => void} print
 * @returns {{ onEvent: (event: any) => void, stop: () => void }}
 */
function createDebug(print) {
  /** @type {WeakMap<object, number>} */
  const begunMs = new WeakMap()
  let stateMs = performance.now()

  /** @param {import('node:http').ClientRequest} request @param {string | number} end */
  function tell(request, end) {
    const ms = Math.round(performance.now() - (begunMs.get(request) ?? performance.now()))
    const path = request.path.replace(/[?#].*/s, '')
    print(printable(`request ${request.method} ${request.getHeader('host') ?? request.host}${path} ${end} ${ms} ms`))
  }
  const begun = (/** @type {any} */ { request }) => void begunMs.set(request, performance.now())
  const answered = (/** @type {any} */ { request, response }) => tell(request, response.statusCode)
  const failed = (/** @type {any} */ { request, error }) => tell(request, error.code ?? 'no answer')
  subscribe('http.client.request.start', begun)
  subscribe('http.client.response.finish', answered)
  subscribe('http.client.request.error', failed)

  /** @param {string} what @param {any} of @param {string[]} names */
  function fields(what, of, names) {
    const texts = names.flatMap(name => (of[name] === undefined ? [] : [`${name}=${JSON.stringify(of[name])}`]))
    print(printable([what, ...texts].join(' ')))
  }

  return {
    onEvent(event) {
      if (TOLD.has(event.type)) fields(event.type, event, SHOWN)
      if (event.type !== 'progress' || performance.now() - stateMs < STATE_MS) return
      stateMs = performance.now()
      fields('state', event, STATE)
    },
    stop() {
      unsubscribe('http.client.request.start', begun)
      unsubscribe('http.client.response.finish', answered)
      unsubscribe('http.client.request.error', failed)
    },
  }
}

module.exports = { createDebug }
