'use strict'

/** Reads the answers to control calls: strictly, and with limits on size and time. */

const { gunzipSync } = require('node:zlib')
const { withoutSecrets, withoutStack } = require('../../errors')
const { readBody } = require('../../http')
const { USUAL_BYTES, createDocuments } = require('../xml')
const { NAMESPACE, OPERATIONS } = require('./calls')

/** The status of an error that S3 found only after it had sent a status of success. */
const LATE_ERROR_STATUS = 503
/** Of Node.js: it unpacks to more than was allowed. */
const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE'

const documents = createDocuments(
  Object.values(OPERATIONS).flatMap(({ answer }) => answer ?? []),
  NAMESPACE,
)

/**
 * An answer that is no success.
 *
 * @typedef {Error & { status: number, headers: Record<string, string>, region?: string, details?: string, unreadable: boolean }} Refused name:
 *   the store's code, '' without one; unreadable: its body is not S3's XML
 */

/**
 * Reads the answer to one call.
 *
 * @param {string} operation S3's name of the call
 * @param {import('node:http').IncomingMessage} response
 * @param {Record<string, string>} headers of it, in S3's words
 * @param {{ facts: Record<string, any>, silenceMs: number, answerMs?: number, secrets: string[] }} store silenceMs: how long an
 *   answer may pause; answerMs: how long it may take in total; secrets: texts that no error may repeat
 * @returns {Promise<Record<string, any>>} content of the document, in the shape of calls.js; empty if there is none
 * @throws {Refused | import('../../types').XferError}
 */
async function readAnswer(operation, response, headers, { facts, silenceMs, answerMs, secrets }) {
  const { answer: kind } = OPERATIONS[operation]
  const status = response.statusCode ?? 0
  const success = status >= 200 && status < 300
  if (success && operation === 'GetObject') {
    // Nobody reads the object here.
    response.destroy()
    return {}
  }
  const most = success && kind ? kind.most : USUAL_BYTES
  // The answer to a HEAD has no body.
  const sent = await readBody(response, { silenceMs, answerMs, late: kind?.late === true, most })
  const body = response.headers['content-encoding'] === 'gzip' ? unpack(sent, most) : sent
  if (!success) {
    const absent = body?.length === 0
    const refusal = absent ? { code: status === 404 ? 'NotFound' : '' } : documents.readRefusal(body)
    throw refused({ status, headers }, refusal ?? { unreadable: isMarkup(body) }, secrets)
  }
  if (!kind) return {}
  const found = documents.read(kind, { status, type: headers['content-type'], body }, facts)
  if ('refusal' in found) throw refused({ status: LATE_ERROR_STATUS, headers }, found.refusal, secrets)
  return found.values
}

/**
 * @param {{ status: number, headers: Record<string, string> }} answer
 * @param {import('../xml/documents').Refusal & { unreadable?: boolean }} refusal
 * @param {string[]} secrets
 * @returns {Refused}
 */
function refused({ status, headers }, { code = '', message = '', region, details, unreadable = false }, secrets) {
  return Object.assign(withoutStack(withoutSecrets(message, secrets)), {
    // A code that contains a secret is not an error code.
    name: withoutSecrets(code, secrets) === code ? code : '',
    ...{ status, headers, unreadable },
    ...(region && { region }),
    ...(details && { details: withoutSecrets(details, secrets) }),
  })
}

/**
 * Gateways compress documents, some unasked. Reads of Google's store allow it.
 *
 * @param {Buffer | undefined} body
 * @param {number} most bytes
 * @returns {Buffer | undefined} undefined: too large; the same bytes if they are no gzip
 */
function unpack(body, most) {
  if (!body?.length) return body
  try {
    return gunzipSync(body, { maxOutputLength: most })
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === TOO_LARGE ? undefined : body
  }
}

/**
 * Whether the body of a failure is markup. Plain text may come with any status, and does not contradict it.
 *
 * @param {Buffer | undefined} body undefined: too large
 */
function isMarkup(body) {
  return body === undefined || /^(?:\xef\xbb\xbf)?\s*</.test(body.toString('latin1', 0, 1024))
}

module.exports = { readAnswer, readRefusal: documents.readRefusal }
