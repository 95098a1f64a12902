'use strict'

/** What an answer means whose status is no success: a refusal, a redirect, or another object than was asked for. */

const { errorCodeIn, errorMessageIn, headerIn } = require('./answers')
const { Failure } = require('./failure')

/** @typedef {import('./failure').Side} Side */
/** @typedef {import('./transport').Answer} Answer */

/**
 * The failure for an answer whose status is not a success.
 * @param {Side} side
 * @param {Answer} answer
 * @param {string} body
 * @param {import('./transport').WireRequest} request
 */
function refusal(side, { status, headers }, body, request) {
  const { changed = [], errorCode, errorMessage } = request.rule
  const facts = {
    side,
    status,
    storeCode: errorCodeIn({ headers, body }, errorCode),
    storeMessage: errorMessageIn(body, errorMessage, request),
    retryAfterMs: retryAfter(headerIn(headers, 'retry-after')),
    dateMs: dateOf(headerIn(headers, 'date')),
  }
  const redirected = status >= 300 && status < 400
  return new Failure(redirected ? 'REDIRECTED' : changed.includes(status) ? 'SOURCE_CHANGED' : 'HTTP_STATUS', facts)
}

/**
 * RFC 9110 section 10.2.3: seconds, or a date.
 * @param {string | undefined} value
 * @returns {number | undefined} milliseconds from now
 */
function retryAfter(value) {
  if (/^\s*\d{1,9}\s*$/.test(value ?? '')) return Number(value) * 1000
  const at = dateOf(value)
  return at === undefined ? undefined : Math.max(0, at - Date.now())
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

module.exports = { refusal }
