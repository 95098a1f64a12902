'use strict'

const { Failure } = require('./failure')

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */

/** How much of an error's body is read. */
const MAX_BODY = 65_536

/** How long an error's body is waited for; its status is known already. */
const BODY_MS = 5_000

/**
 * Reads the body of an answer that is not data: at most 64 KiB, and what has come when it ends, breaks or takes too long.
 * @param {IncomingMessage} response
 * @param {AbortSignal} signal ends the wait
 * @returns {Promise<string>}
 */
function readBody(response, signal) {
  return new Promise(resolve => {
    /** @type {Buffer[]} */
    const pieces = []
    let length = 0
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      response.off('data', onData).off('end', finish).off('close', finish)
      resolve(Buffer.concat(pieces).toString('utf8', 0, MAX_BODY))
    }
    /** @param {Buffer} piece */
    const onData = piece => {
      pieces.push(piece)
      length += piece.length
      if (length >= MAX_BODY) finish()
    }
    const timer = setTimeout(finish, BODY_MS)
    signal.addEventListener('abort', finish, { once: true })
    response.on('data', onData).on('end', finish).on('close', finish)
    if (signal.aborted || response.closed) finish()
  })
}

/**
 * The failure that an answer with another status than the wanted one is.
 * @param {import('./failure').Side} side
 * @param {IncomingMessage} response
 * @param {string} body
 */
function refusal(side, response, body) {
  const status = Number(response.statusCode)
  const facts = { side, status, storeCode: storeCode(body), retryAfterMs: retryAfter(response.headers['retry-after']) }
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
  const found = /<Error(?:\s[^>]*)?>[\s\S]*?<Code>\s*([\w.-]{1,64})\s*<\/Code>/.exec(body)
  return found?.[1]
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

module.exports = { readBody, refusal, retryAfter, storeCode }
