'use strict'

/**
 * Reads the answers to control calls in place of the SDK: strictly, and with limits on size and time. The SDK gets an empty
 * document of the right kind, because it only has to read the headers.
 */

const { withoutSecrets } = require('../../../errors')
const { KINDS, USUAL_BYTES, readDocument, readRefusal } = require('./documents')

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */

/** How long the whole body of an answer may take; a `late` answer may take three times as long. */
const ANSWER_MS = 5 * 60_000
/** The share of that time after which the rate is checked. */
const BEGINNING = 1 / 10
/** The lowest average rate, in bytes per second. */
const LEAST_RATE = 1024
/** The status of an error that S3 found only after it had sent a status of success. */
const LATE_ERROR_STATUS = 503

/**
 * Makes a request handler report the name of the server that answered.
 *
 * @param {any} handler of `@smithy/node-http-handler`
 * @param {(name: string | undefined) => void} onServer gets the `Server` header of each answer
 * @returns {any} the same handler, changed
 */
function named(handler, onServer) {
  const handle = handler.handle.bind(handler)
  handler.handle = async (/** @type {any} */ request, /** @type {any} */ options) => {
    const output = await handle(request, options)
    onServer(output.response.headers.server)
    return output
  }
  return handler
}

/**
 * Reads the answer to one call.
 *
 * @param {string} operation S3's name of the call
 * @param {{ facts: Record<string, any>, silenceMs: number, answerMs?: number, secrets?: string[] }} store silenceMs: how long an
 *   answer may pause; answerMs: how long it may take in total; secrets: texts that no error may repeat
 * @returns {{ middleware: (next: any) => any, values: () => Record<string, any> }} middleware: for the SDK, just before its
 *   request handler; values: content of the document of a success, in the shape of documents.js
 */
function answerReader(operation, { facts, silenceMs, answerMs = ANSWER_MS, secrets = [] }) {
  const kind = KINDS[operation]
  /** @type {Record<string, any>} */
  let values = {}
  return {
    middleware: next => async (/** @type {any} */ args) => {
      const output = await next(args)
      const { response } = output
      const { statusCode: status, headers } = response
      const success = status >= 200 && status < 300
      // The answer to a HEAD has no body, and the body of an object is not read here.
      if (operation === 'HeadObject' || (success && !kind)) return output
      const late = kind?.late === true
      const bounds = { silenceMs, answerMs, late, most: success ? kind.most : USUAL_BYTES }
      const body = await readBody(response.body, bounds)
      if (!success) {
        if (body?.length === 0) {
          response.body = body
          return output
        }
        throw refused(response, status, readRefusal(body) ?? { unreadable: isMarkup(body) }, secrets)
      }
      const found = readDocument(operation, { status, type: headers['content-type'], body }, facts)
      if ('refusal' in found) throw refused(response, LATE_ERROR_STATUS, found.refusal, secrets)
      values = found.values
      response.body = Buffer.from(kind.root === undefined ? '' : `<${kind.root}/>`)
      return output
    },
    values: () => values,
  }
}

/**
 * An error in the shape of the SDK's own errors, so that the SDK learns from it too (the clock's skew, for example).
 *
 * @param {any} response
 * @param {number} status
 * @param {import('./documents').Refusal & { unreadable?: boolean }} refusal
 * @param {string[]} secrets
 */
function refused(response, status, { code = '', message = '', region, unreadable = false }, secrets) {
  return Object.assign(new Error(withoutSecrets(message, secrets)), {
    // A code that contains a secret is not an error code.
    name: withoutSecrets(code, secrets) === code ? code : '',
    ...(region && { Region: region }),
    unreadable,
    $metadata: { httpStatusCode: status },
    $response: response,
  })
}

/**
 * Whether the body of a failure is markup. Plain text may come with any status, and does not contradict it.
 *
 * @param {Buffer | undefined} body undefined: too large
 */
function isMarkup(body) {
  return body === undefined || /^(?:\xef\xbb\xbf)?\s*</.test(body.toString('latin1', 0, 1024))
}

/**
 * @param {IncomingMessage} body
 * @param {object} bounds
 * @param {number} bounds.most bytes
 * @param {number} bounds.silenceMs
 * @param {number} bounds.answerMs
 * @param {boolean} bounds.late whether the lowest rate does not apply, and the time is three times as long
 * @returns {Promise<Buffer | undefined>} undefined if it is larger than `most`: the rest is not read
 * @throws {Error} with the code of the connection's failure
 */
async function readBody(body, { most, silenceMs, answerMs, late }) {
  /** @type {Buffer[]} */
  const chunks = []
  let length = 0
  const beatMs = Math.min(silenceMs, answerMs * BEGINNING)
  let [begunMs, heardMs, beatenMs] = Array(3).fill(performance.now())
  /** @param {string} text */
  const giveUp = text => body.destroy(Object.assign(new Error(text), { code: 'ETIMEDOUT' }))
  const timer = setInterval(() => {
    const nowMs = performance.now()
    const missedMs = nowMs - beatenMs - beatMs
    beatenMs = nowMs
    // This process was suspended for a while: that time does not count.
    if (missedMs > beatMs) {
      begunMs += missedMs
      heardMs += missedMs
    }
    const tookMs = nowMs - begunMs
    if (nowMs - heardMs >= silenceMs) giveUp('the answer stopped')
    else if (tookMs >= answerMs * (late ? 3 : 1)) giveUp('the answer does not end')
    else if (!late && length < (LEAST_RATE * (tookMs - answerMs * BEGINNING)) / 1000) giveUp('the answer is too slow')
  }, beatMs)
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      heardMs = performance.now()
      // Leaving the loop closes the connection.
      if (length > most) return undefined
    }
  } catch (cause) {
    const { code = 'ECONNRESET' } = /** @type {NodeJS.ErrnoException} */ (cause)
    throw Object.assign(new Error('the answer broke off', { cause }), { code })
  } finally {
    clearInterval(timer)
  }
  return Buffer.concat(chunks)
}

module.exports = { answerReader, named, readBody }
