'use strict'

/**
 * One request through the platform's npm client, with what that client lacks: deadlines of every phase, the answer's
 * headers, an end where the answer is cut, and a cancellation that leaves no listener behind.
 *
 * The client hands our agent down to Node's HTTP; an agent of the call's own, which passes everything on to the shared
 * one, sees the request and its answer without any need to tell them from those of other calls.
 */

const { abortReason } = require('../../../errors')

/** Of one answer: far more than the largest page of activations, and little enough for a process. */
const MOST_BYTES = 64 * 1024 ** 2
/** How often its size is looked at. */
const LOOK_MS = 50

/**
 * What is known of an answer before its body.
 *
 * @typedef {object} Head
 * @property {number} status
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {number} sentMs when the request left, at the latest
 * @property {number} receivedMs when the head was there
 *
 * @typedef {object} Answer
 * @property {any} [body] JSON parsed, text where it is none
 * @property {any} [error] what came in place of a success: the client's, with `statusCode` and the body as `error`, or with
 *   Node's `code`
 * @property {Head} [head] undefined where no answer came
 * @property {boolean} sent whether the platform may have got the request
 *
 * @typedef {object} Deadlines milliseconds
 * @property {number} connectMs
 * @property {number} answerMs from when the request was sent until the head of its answer
 * @property {number} bodyMs from then on
 */

/**
 * @param {import('node:http').Agent} agent the shared one
 * @param {(transport: Record<string, unknown>) => Promise<any>} request given options for a method of the client
 * @param {{ signal?: AbortSignal, deadlines: Deadlines, now: () => number }} how
 * @returns {Promise<Answer>}
 * @throws {import('../../../types').XferError} the abort's reason, and nothing else
 */
async function call(agent, request, { signal, deadlines, now }) {
  const watch = watchCall(agent, deadlines, now)
  const cancel = () => watch.fail(abortReason(/** @type {AbortSignal} */ (signal)))
  if (signal?.aborted) throw abortReason(signal)
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    // The client's deadlines are off: they say nothing but that the connection was cut.
    const transport = {
      agent: watch.agent,
      open_timeout: 0,
      response_timeout: 0,
      read_timeout: 0,
      use_proxy_from_env_var: false,
    }
    const answer = request(transport)
    // Whichever of the two comes second is of no interest.
    answer.catch(() => {})
    return { body: await Promise.race([answer, watch.failed]), ...watch.seen() }
  } catch (error) {
    if (signal?.aborted) throw abortReason(signal)
    return { error, ...watch.seen() }
  } finally {
    signal?.removeEventListener('abort', cancel)
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
      // The client would keep whatever comes.
      const { socket } = response
      const before = socket.bytesRead
      const looking = setInterval(() => {
        if (socket.bytesRead - before > MOST_BYTES) fail(connectionError('ECONNRESET'))
      }, LOOK_MS)
      response.once('close', () => clearInterval(looking))
      // The client would wait for the rest of a body for ever.
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

/** @param {'ETIMEDOUT' | 'ECONNRESET'} code as Node has it */
function connectionError(code) {
  return Object.assign(new Error(code), { code })
}

module.exports = { call }
