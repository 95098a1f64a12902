'use strict'

/**
 * Reads the answers to control calls in place of the SDK: strictly, and with limits on size and time. The SDK gets an empty
 * document of the right kind, because it only has to read the headers.
 */

const { withoutSecrets } = require('../../../errors')
const { readBody } = require('../../../http')
const { KINDS, USUAL_BYTES, readDocument, readRefusal } = require('./documents')

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
function answerReader(operation, { facts, silenceMs, answerMs, secrets = [] }) {
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
function refused(response, status, { code = '', message = '', region, details, unreadable = false }, secrets) {
  return Object.assign(new Error(withoutSecrets(message, secrets)), {
    // A code that contains a secret is not an error code.
    name: withoutSecrets(code, secrets) === code ? code : '',
    ...(region && { Region: region }),
    ...(details && { details: withoutSecrets(details, secrets) }),
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

module.exports = { answerReader, named }
