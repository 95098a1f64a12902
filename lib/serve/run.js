'use strict'

/**
 * One invocation. The answer begins at once: its head, a blank now and then, the result's JSON last. A balancer would cut a
 * silent connection, most after a minute. Blanks may stand before JSON, so the whole body is one JSON text (RFC 8259).
 */

const { main } = require('../../actions/copy-range')

/** @typedef {'done' | 'cancelled' | 'cut' | 'suspended'} Ending cancelled: by the caller, who hung up, or does not read the result; cut: by the end of the worker */

/**
 * A worker that was suspended for so many of its heartbeats ends its invocations: their callers have given them up (after
 * 2.5 of them), and may have copied the parts elsewhere. Nothing of an old invocation may be written after that.
 */
const SUSPENDED_BEATS = 2
/** Below this a process may merely be busy. */
const LEAST_SUSPENDED_MS = 2_000

/** How long a caller may take to read the result. */
const RESULT_MS = 30_000

/** What one invocation may do at once: a bound of its memory. */
const MOST_PARALLEL = 16

/**
 * @param {unknown} params of the action
 * @param {import('node:http').ServerResponse} response
 * @param {object} how
 * @param {import('../types').Access} how.access the worker's rules: whatever the caller says of them is replaced
 * @param {number} how.heartbeatMs
 * @param {number} how.timeoutMs how long it may run
 * @param {string} [how.ca] certificates to trust in addition to the usual ones, PEM
 * @param {AbortSignal} how.cut ends it at once
 * @param {number} [how.resultMs] how long the caller may take to read the result
 * @param {() => number} [how.now]
 * @returns {Promise<{ ending: Ending, result: any }>} once the result is on its way, as far as this process is concerned
 */
async function runInvocation(params, response, how) {
  const { access, heartbeatMs, timeoutMs, ca, cut, resultMs = RESULT_MS, now = Date.now } = how
  const controller = new AbortController()
  /** @type {Ending} */
  let ending = 'done'
  let beatMs = now()
  /** @param {Ending} why */
  const end = why => {
    if (controller.signal.aborted) return
    ending = why
    controller.abort()
  }
  const suspendedMs = Math.max(SUSPENDED_BEATS * heartbeatMs, LEAST_SUSPENDED_MS)
  const endIfSuspended = () => now() - beatMs > suspendedMs && end('suspended')
  const timer = setInterval(() => {
    endIfSuspended()
    beatMs = now()
    if (!response.destroyed) response.write(' ')
  }, heartbeatMs)
  const onClose = () => end('cancelled')
  const onCut = () => end('cut')
  response.once('close', onClose)
  cut.addEventListener('abort', onCut, { once: true })
  if (cut.aborted) onCut()
  response.writeHead(200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  response.write(' ')
  try {
    const deadlineMs = now() + timeoutMs
    const result = await main(bounded(params, access), {
      signal: controller.signal,
      ca,
      deadlineMs,
      onBytes: endIfSuspended,
    })
    clearInterval(timer)
    response.off('close', onClose)
    if (ending === 'done' && (await sendResult(response, result, { resultMs, cut }))) return { ending: 'done', result }
    // Without a result the caller knows that it must ask the destination.
    response.destroy()
    return { ending: ending === 'done' ? 'cancelled' : ending, result }
  } finally {
    clearInterval(timer)
    response.off('close', onClose)
    cut.removeEventListener('abort', onCut)
  }
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {unknown} result
 * @param {{ resultMs: number, cut: AbortSignal }} bounds
 * @returns {Promise<boolean>} whether all of it was handed to the system
 */
function sendResult(response, result, { resultMs, cut }) {
  return new Promise(resolve => {
    const end = () => response.destroy()
    const timer = setTimeout(end, resultMs)
    cut.addEventListener('abort', end, { once: true })
    const over = (/** @type {boolean} */ sent) => {
      clearTimeout(timer)
      cut.removeEventListener('abort', end)
      resolve(sent)
    }
    // 'finish' comes also if the connection was cut. It comes first here, before the server lets go of the connection.
    const { socket } = response
    response.prependOnceListener('finish', () => over(!socket?.destroyed)).once('close', () => over(false))
    response.end(JSON.stringify(result))
  })
}

/** @param {unknown} params @param {import('../types').Access} access @returns {unknown} the parameters, with the worker's own rules */
function bounded(params, access) {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params
  const { parallel } = /** @type {{ parallel?: unknown }} */ (params)
  const most = typeof parallel === 'number' && parallel > MOST_PARALLEL ? { parallel: MOST_PARALLEL } : {}
  return { ...params, ...most, access }
}

module.exports = { runInvocation }
