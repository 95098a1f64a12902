'use strict'

/** Translates refusals of HTTPS sources. Pure. RFC 9110 section 15 */

const { XferError } = require('../../errors')
const { classify, meaningIn } = require('../common')
const { expiryOf } = require('./query')

/** What a store behind a presigned address says. @type {import('../common/errors').CodeTable} */
const CODES = { NO_SUCH_KEY: ['NoSuchKey'], CREDENTIALS_EXPIRED: ['ExpiredToken'], STORE_THROTTLED: ['SlowDown'] }

const NEW_ADDRESS = 'Get a new address, and repeat the command with it: that goes on with the job.'
const AGAIN = 'Repeat the command: it follows the redirect again, and goes on with the job.'

/**
 * @param {{ status?: number, storeCode?: string }} answer to a GET
 * @returns {import('../../types').XferErrorCode}
 */
function classifyAnswer({ status = 0, storeCode }) {
  const known = meaningIn(storeCode, CODES)
  if (known) return known
  // A range was asked for, and the whole object came: the condition does not hold, or there are no ranges any more.
  if (status === 200 || status === 412 || status === 416) return 'SOURCE_CHANGED'
  return status === 410 ? 'NO_SUCH_KEY' : classify({ status, storeCode: storeCode ?? '' })
}

/**
 * @param {import('../contract').Answer} answer
 * @param {Record<string, any>} facts of the store
 * @param {object} how
 * @param {string} how.url where it was read
 * @param {boolean} how.redirected whether another address led there
 * @param {number} how.nowMs epoch milliseconds
 * @returns {import('../../types').XferError} CREDENTIALS_EXPIRED if the address has ended, or is one that another address may lead to anew
 */
function explainAnswer({ of: _, status, storeCode, body, checksum: __, ...said }, facts, { url, redirected, nowMs }) {
  const answer = { status, storeCode: storeCode ?? codeIn(body) }
  const code = classifyAnswer(answer)
  const ended = (expiryOf(url) ?? Number.POSITIVE_INFINITY) <= nowMs
  const expired = code === 'CREDENTIALS_EXPIRED' || (code === 'ACCESS_DENIED' && (ended || redirected))
  const moved = status !== undefined && status >= 300 && status < 400
  return new XferError(expired ? 'CREDENTIALS_EXPIRED' : code, {
    ...facts,
    ...answer,
    ...said,
    ...(code === 'NO_SUCH_KEY' && { noSuchKey: true }),
    ...(moved && { reason: 'it redirects now, and did not when the copy began' }),
    ...(expired && { advice: redirected ? AGAIN : NEW_ADDRESS }),
  })
}

/** The error code in the document of a store. @param {string} [body] its beginning */
function codeIn(body = '') {
  return /^[^<]*(?:<\?xml[^>]*>\s*)?<Error[\s>][\s\S]*?<Code>\s*([A-Za-z][\w.-]{0,63})\s*<\/Code>/.exec(body)?.[1]
}

module.exports = { explainAnswer }
