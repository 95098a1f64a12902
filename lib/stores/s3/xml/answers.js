'use strict'

/**
 * The answers to control calls, read here and not by the SDK: within bounds, and strictly. The SDK is shown an empty document of
 * the right kind, for its share are the headers.
 */

const { withoutSecrets } = require('../../../errors')
const { KINDS, USUAL_BYTES, readDocument, readRefusal } = require('./documents')

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */

/** How long the body of an answer may take in all; of a late one three times that. */
const ANSWER_MS = 5 * 60_000
/** Of that, before the pace counts. */
const BEGINNING = 1 / 10
/** Bytes a second, on average. */
const LEAST_PACE = 1024
/** Of an error that S3 would have sent before the head, had it known. */
const UNKNOWN_YET = 503

/**
 * A handler that says what server answered.
 *
 * @param {any} handler of `@smithy/node-http-handler`
 * @param {(name: string | undefined) => void} onServer told what the server calls itself
 * @returns {any} the same
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
 * @param {string} operation S3's name
 * @param {{ facts: Record<string, any>, silenceMs: number, answerMs?: number, secrets?: string[] }} store silenceMs: how long an
 *   answer may pause; answerMs: and take in all; secrets: that no error may repeat
 * @returns {{ middleware: (next: any) => any, values: () => Record<string, any> }} middleware: to stand between the SDK's and
 *   the handler; values: what the document of a success says, as documents.js has it
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
      // HEAD has no body, and that of an object is not for us.
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
      if ('refusal' in found) throw refused(response, UNKNOWN_YET, found.refusal, secrets)
      values = found.values
      response.body = Buffer.from(kind.root === undefined ? '' : `<${kind.root}/>`)
      return output
    },
    values: () => values,
  }
}

/**
 * Of the shape that the SDK's own errors have, so that it learns from it what it learns from those.
 *
 * @param {any} response
 * @param {number} status
 * @param {import('./documents').Refusal & { unreadable?: boolean }} refusal
 * @param {string[]} secrets
 */
function refused(response, status, { code = '', message = '', region, unreadable = false }, secrets) {
  return Object.assign(new Error(withoutSecrets(message, secrets)), {
    // What holds a secret is no code.
    name: withoutSecrets(code, secrets) === code ? code : '',
    ...(region && { Region: region }),
    unreadable,
    $metadata: { httpStatusCode: status },
    $response: response,
  })
}

/** Words alone may come with any status, and say nothing against it. @param {Buffer | undefined} body undefined: too large */
function isMarkup(body) {
  return body === undefined || /^(?:\xef\xbb\xbf)?\s*</.test(body.toString('latin1', 0, 1024))
}

/**
 * @param {IncomingMessage} body
 * @param {object} bounds
 * @param {number} bounds.most bytes
 * @param {number} bounds.silenceMs
 * @param {number} bounds.answerMs
 * @param {boolean} bounds.late it may be as slow as it likes
 * @returns {Promise<Buffer | undefined>} undefined where it is larger: the rest is not read
 * @throws {Error} with the code of what happened to the connection
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
    // This process was stopped for a while, and so heard nothing.
    if (missedMs > beatMs) {
      begunMs += missedMs
      heardMs += missedMs
    }
    const tookMs = nowMs - begunMs
    if (nowMs - heardMs >= silenceMs) giveUp('the answer stopped')
    else if (tookMs >= answerMs * (late ? 3 : 1)) giveUp('the answer does not end')
    else if (!late && length < (LEAST_PACE * (tookMs - answerMs * BEGINNING)) / 1000) giveUp('the answer is too slow')
  }, beatMs)
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      heardMs = performance.now()
      // The loop ends the connection.
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
