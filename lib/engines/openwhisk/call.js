'use strict'

/**
 * Sends one request through the platform's npm client, and adds what that client lacks: a deadline for each phase, the
 * answer's headers, a failure when the answer is cut off, and an abort that leaves no listener behind.
 *
 * The client passes our agent to Node's HTTP. Each call has its own agent, which delegates to the shared one. So it sees
 * exactly the request and the answer of this call.
 */

const { untilAborted } = require('../../async')
const { abortReason, throwIfAborted } = require('../../errors')

/** The most bytes of an answer: far more than the largest page of activations, but little memory. */
const MOST_BYTES = 64 * 1024 ** 2
/** How often the size is checked. */
const LOOK_MS = 50

/**
 * An answer without its body.
 *
 * @typedef {object} Head
 * @property {number} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {number} sentMs the latest time at which the request was sent
 * @property {number} receivedMs when the headers had arrived
 *
 * @typedef {object} Answer
 * @property {any} [body] parsed JSON, or text if it is not JSON
 * @property {any} [error] for a failure, the client's error: with `statusCode` and the body as `error`, or with Node's
 *   `code`
 * @property {Head} [head] undefined without an answer
 * @property {boolean} sent whether the platform may have got the request
 *
 * @typedef {object} Deadlines milliseconds
 * @property {number} connectMs
 * @property {number} answerMs from sending the request to the headers of its answer
 * @property {number} bodyMs from the headers to the end of the body
 */

/**
 * @param {import('node:http').Agent} agent the shared one
 * @param {(httpOptions: Record<string, unknown>) => Promise<any>} request calls a method of the client with these options
 * @param {{ signal?: AbortSignal, deadlines: Deadlines, now: () => number }} how
 * @returns {Promise<Answer>}
 * @throws {import('../../types').XferError} only the abort's reason
 */
async function call(agent, request, { signal, deadlines, now }) {
  throwIfAborted(signal)
  const watch = watchCall(agent, deadlines, now)
  try {
    // The client's timeouts are off: their errors would only say that the connection was cut.
    const httpOptions = {
      agent: watch.agent,
      open_timeout: 0,
      response_timeout: 0,
      read_timeout: 0,
      use_proxy_from_env_var: false,
    }
    const answer = request(httpOptions)
    // The promise that settles second is ignored.
    answer.catch(() => {})
    return { body: await untilAborted(Promise.race([answer, watch.failed]), signal), ...watch.seen() }
  } catch (error) {
    if (signal?.aborted) {
      watch.fail(abortReason(signal))
      throw abortReason(signal)
    }
    return { error, ...watch.seen() }
  } finally {
    watch.stop()
  }
}

/**
 * @param {import('node:http').Agent} shared
 * @param {Deadlines} deadlines
 * @param {() => number} now
 */
function watchCall(shared, { connectMs, answerMs, bodyMs }, now) {
  /** @type {import('node:http').ClientRequest | undefined} */
  let request
  /** @type {Head | undefined} */
  let head
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  /** @type {Error | undefined} */
  let failure
  let sentMs = 0
  let over = false
  /** @type {(error: Error) => void} */
  let reject = () => {}
  const failed = /** @type {Promise<never>} */ (
    new Promise((_, refuse) => {
      reject = refuse
    })
  )
  failed.catch(() => {})

  /** @param {Error} error */
  function fail(error) {
    failure ??= error
    reject(failure)
    request?.destroy(failure)
  }

  /** @param {number} ms */
  function within(ms) {
    clearTimeout(timer)
    if (over) return
    timer = setTimeout(() => fail(connectionError('ETIMEDOUT')), ms)
  }

  function sent() {
    sentMs = now()
    within(answerMs)
  }

  /** @param {any} req @param {unknown} options */
  function addRequest(req, options) {
    request = req
    within(connectMs)
    req.once('socket', (/** @type {any} */ socket) => {
      if (socket.connecting) socket.once(socket.encrypted ? 'secureConnect' : 'connect', sent)
      else sent()
    })
    req.once('response', (/** @type {import('node:http').IncomingMessage} */ response) => {
      head = { status: response.statusCode ?? 0, headers: response.headers, sentMs, receivedMs: now() }
      within(bodyMs)
      // The client would buffer an answer of any size.
      const { socket } = response
      const before = socket.bytesRead
      const looking = setInterval(() => {
        if (socket.bytesRead - before > MOST_BYTES) fail(connectionError('ECONNRESET'))
      }, LOOK_MS)
      response.once('close', () => clearInterval(looking))
      // After a cut the client would wait for the rest of the body forever.
      response.once('close', () => {
        if (!response.complete) fail(connectionError('ECONNRESET'))
      })
    })
    const added = /** @type {any} */ (shared).addRequest(req, options)
    if (failure) req.destroy(failure)
    return added
  }

  return {
    agent: Object.create(shared, { addRequest: { value: addRequest } }),
    failed,
    fail,
    seen: () => ({ head, sent: sentMs > 0 }),
    stop() {
      over = true
      clearTimeout(timer)
    },
  }
}

/** @param {'ETIMEDOUT' | 'ECONNRESET'} code of Node.js */
function connectionError(code) {
  return Object.assign(new Error(code), { code })
}

module.exports = { call }
