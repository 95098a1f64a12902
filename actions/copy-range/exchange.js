'use strict'

const http = require('node:http')
const https = require('node:https')
const { connectionsFor } = require('./connections')
const { until } = require('./course')
const { Failure } = require('./failure')
const { REFUSED } = require('./lookup')
const { isCertificateRefusal } = require('./trust')

/** @typedef {import('./course').Course} Course */
/** @typedef {import('./failure').Side} Side */

/** How long a connection may take to open: name, TCP, proxy and TLS together. */
const OPEN_MS = 10_000

/**
 * One request and its answer. `close` forgets it: its connection is destroyed unless the answer has ended, and nothing
 * that happens to it afterwards counts.
 * @typedef {{
 *   side: Side,
 *   req: http.ClientRequest,
 *   opened: Promise<void>,
 *   answer: () => http.IncomingMessage | undefined,
 *   close: () => void,
 * }} Exchange
 */

/**
 * Makes a request ready and opens its connection; nothing is sent yet.
 * @param {Side} side
 * @param {import('./task').WireRequest} request
 * @param {Course} course
 * @returns {Exchange}
 * @throws {Failure} BAD_TASK for what HTTP cannot carry, ADDRESS_REFUSED, or what has ended the attempt already
 */
function openExchange(side, request, course) {
  // The other side may have failed a moment ago, with nobody waiting for it.
  if (course.signal.aborted) throw course.signal.reason
  const req = startRequest(side, request, course)
  /** @type {http.IncomingMessage | undefined} */
  let answer
  let open = false
  let closed = false

  const timer = setTimeout(() => {
    course.fail(new Failure('UNREACHABLE', { side, detail: `not within ${OPEN_MS / 1000} s` }))
  }, OPEN_MS)
  const close = () => {
    closed = true
    clearTimeout(timer)
    course.signal.removeEventListener('abort', close)
    req.destroy()
  }
  /** @param {NodeJS.ErrnoException} [error] */
  const onLost = error => {
    // A write that was answered cannot be lost any more: its answer is what counts.
    if (!closed && !(answer && side === 'write'))
      course.fail(lost(side, req, { error, open, answered: answer !== undefined }))
  }

  const opened = until(/** @type {AbortSignal} */ (course.signal), (/** @type {(value: void) => void} */ done) => {
    whenConnected(req, () => {
      open = true
      clearTimeout(timer)
      done()
    })
  })
  // Those who wait for it are told; where nobody waits yet the attempt has failed already, and all know.
  opened.catch(() => {})
  req.on('response', response => {
    answer = response
    response.on('error', onLost)
    response.on('close', () => {
      if (!response.complete) onLost()
    })
  })
  req.on('error', onLost)
  req.on('close', () => {
    if (!answer) onLost()
  })
  course.signal.addEventListener('abort', close, { once: true })
  return { side, req, opened, answer: () => answer, close }
}

/**
 * @param {Side} side
 * @param {import('./task').WireRequest} request
 * @param {Pick<Course, 'fresh' | 'reach'>} course
 */
function startRequest(side, request, { fresh, reach }) {
  const { secure, host, port, path, method, headers } = request
  const agent = connectionsFor(request, side, reach)
  const options = { host, port, path, method, headers, agent, fresh }
  try {
    return secure ? https.request(options) : http.request(options)
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Failure('BAD_TASK', { side, detail: `HTTP cannot carry it (${code ?? 'unknown'})` })
  }
}

/**
 * @param {http.ClientRequest} req
 * @param {() => void} done
 */
function whenConnected(req, done) {
  req.once('socket', socket => {
    const { secureConnecting } = /** @type {{ secureConnecting?: boolean }} */ (/** @type {unknown} */ (socket))
    if (secureConnecting) socket.once('secureConnect', done)
    else if (socket.connecting) socket.once('connect', done)
    else done()
  })
}

/**
 * Says what became of a connection that was lost.
 * @param {Side} side
 * @param {http.ClientRequest} req
 * @param {{ error?: NodeJS.ErrnoException, open: boolean, answered: boolean }} state
 */
function lost(side, req, { error, open, answered }) {
  const detail = error?.code
  if (error && detail === REFUSED) return new Failure('ADDRESS_REFUSED', { side, reason: error.message })
  if (isCertificateRefusal(detail)) return new Failure('CERTIFICATE_REFUSED', { side, reason: detail })
  if (!open) return new Failure('UNREACHABLE', { side, detail })
  if (detail?.startsWith('HPE_')) return new Failure('BAD_ANSWER', { side, detail: `it is no HTTP (${detail})` })
  const failure = new Failure('CONNECTION_CUT', { side, detail })
  // All of a write sent means that it may have been carried out.
  failure.stale = req.reusedSocket && !answered && (side === 'read' || !req.writableEnded)
  return failure
}

module.exports = { openExchange }
