'use strict'

const { Failure } = require('../failure')

/** @typedef {import('../transport').Answer} Answer */

/** No code is so long and has digits; signatures, keys and tokens are, and some stores repeat them. */
const LIKE_A_SECRET = /^(?=.*\d).{32,}$/

/** How much of an error's body is read. */
const MAX_BODY = 65_536

/** How long an error's body is waited for; its status is known already. */
const BODY_MS = 5_000

/**
 * @param {Answer['headers']} headers
 * @param {string} name in lower case
 * @returns {string | undefined}
 */
function headerIn(headers, name) {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Reads the body of an answer that is not data: at most 64 KiB, and what has come when it ends, breaks or takes too long.
 * @param {Answer['body']} body
 * @param {AbortSignal} signal ends the wait
 * @returns {Promise<string>}
 */
function readBody(body, signal) {
  return new Promise(resolve => {
    /** @type {Buffer[]} */
    const pieces = []
    let length = 0
    let finished = false
    const finish = () => {
      if (finished) return
      finished = true
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve(Buffer.concat(pieces).toString('utf8', 0, MAX_BODY))
    }
    /** @param {Buffer} piece */
    const data = piece => {
      if (finished) return
      // It may be in memory that is used again.
      pieces.push(Buffer.from(piece))
      length += piece.length
      if (length >= MAX_BODY) finish()
    }
    const timer = setTimeout(finish, BODY_MS)
    signal.addEventListener('abort', finish, { once: true })
    body.start({ data, end: finish })
    if (signal.aborted) finish()
  })
}

/**
 * The failure that an answer with another status than the wanted one is.
 * @param {import('../failure').Side} side
 * @param {Answer} answer
 * @param {string} body
 */
function refusal(side, { status, headers }, body) {
  const facts = {
    side,
    status,
    storeCode: storeCode(body),
    retryAfterMs: retryAfter(headerIn(headers, 'retry-after')),
    dateMs: dateOf(headerIn(headers, 'date')),
  }
  if (status >= 300 && status < 400) return new Failure('REDIRECTED', facts)
  if (status === 412 && side === 'read') return new Failure('SOURCE_CHANGED', facts)
  return new Failure('HTTP_STATUS', facts)
}

/**
 * The code of an S3 error document ("Error responses" in the Amazon S3 API reference): `Error` is the root and `Code` its
 * child, in which nothing but letters, digits, dots, dashes and underscores is looked for: what else a body holds is never repeated.
 * @param {string} body
 * @returns {string | undefined}
 */
function storeCode(body) {
  const [, code] = /<Error(?:\s[^>]*)?>[\s\S]*?<Code>\s*([\w.-]{1,64})\s*<\/Code>/.exec(body) ?? []
  return code && LIKE_A_SECRET.test(code) ? undefined : code
}

/**
 * RFC 9110 section 10.2.3: seconds, or a date.
 * @param {string | undefined} value
 * @returns {number | undefined} milliseconds from now
 */
function retryAfter(value) {
  if (!value) return undefined
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

/**
 * RFC 9110 section 6.6.1.
 * @param {string | undefined} value
 * @returns {number | undefined} milliseconds since the epoch
 */
function dateOf(value) {
  const at = Date.parse(value ?? '')
  return Number.isNaN(at) ? undefined : at
}

module.exports = { headerIn, readBody, refusal, retryAfter, storeCode }
