'use strict'

const { Failure } = require('../failure')
const { errorCodeIn } = require('./error-code')
const { headerIn } = require('./header')

/** @typedef {import('../transport').Answer} Answer */

/** How much of an error's body is read. */
const MAX_BODY = 65_536

/** How long to wait for an error's body; its status is known already. */
const BODY_MS = 5_000

/**
 * Reads the body of an answer that is not data: at most 64 KiB, or what has arrived when it ends, breaks or takes too long.
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
      // The piece's memory is reused, so copy it.
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
 * The failure for an answer whose status is not a success.
 * @param {import('../failure').Side} side
 * @param {Answer} answer
 * @param {string} body
 * @param {import('../../../lib/types').AnswerRule} rule
 */
function refusal(side, { status, headers }, body, { changed = [], errorCode }) {
  const facts = {
    side,
    status,
    storeCode: errorCodeIn({ headers, body }, errorCode),
    retryAfterMs: retryAfter(headerIn(headers, 'retry-after')),
    dateMs: dateOf(headerIn(headers, 'date')),
  }
  if (status >= 300 && status < 400) return new Failure('REDIRECTED', facts)
  if (changed.includes(status)) return new Failure('SOURCE_CHANGED', facts)
  return new Failure('HTTP_STATUS', facts)
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

module.exports = { readBody, refusal, retryAfter }
