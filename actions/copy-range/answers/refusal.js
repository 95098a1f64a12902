'use strict'

const { Failure } = require('../failure')
const { headerIn } = require('./headers')

/** @typedef {import('../transport').Answer} Answer */

/** How much of an error's body is read. */
const MAX_BODY = 65_536

/** How long to wait for an error's body; its status is known already. */
const BODY_MS = 5_000

/**
 * Reads the body of an answer that is not data: at most 64 KiB, or what has arrived when it ends, breaks or takes too long.
 * @param {Answer['body']} body
 * @param {InstanceType<typeof import('../copy/attempt').Attempt>} attempt its end ends the wait
 * @returns {Promise<string>}
 */
function readBody(body, attempt) {
  return new Promise(resolve => {
    /** @type {Buffer[]} */
    const pieces = []
    let length = 0
    let finished = false
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    const finish = () => {
      if (finished) return
      finished = true
      clearTimeout(timer)
      attempt.offEnd(finish)
      resolve(pieces.length === 0 ? '' : Buffer.concat(pieces).toString('utf8', 0, MAX_BODY))
    }
    /** @param {Buffer} piece */
    const data = piece => {
      if (finished) return
      // The piece's memory is reused, so copy it.
      pieces.push(Buffer.from(piece))
      length += piece.length
      if (length >= MAX_BODY) finish()
    }
    // An empty one ends at once.
    body.start({ data, end: finish })
    if (finished) return
    timer = setTimeout(finish, BODY_MS)
    attempt.onEnd(finish)
    if (attempt.failure) finish()
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

/** What a code is made of. Nothing else of a body or header is ever repeated. */
const CODE = /^[\w.-]{1,64}$/

/** No code is so long and has digits; signatures, keys and tokens are, and some stores repeat them. */
const LIKE_A_SECRET = /^(?=.*\d).{32,}$/

/**
 * The store's error code in a refusal.
 *
 * @param {{ headers: import('../transport').Answer['headers'], body: string }} answer
 * @param {import('../../../lib/types').AnswerRule['errorCode']} rule where to find it; absent: the store has none
 * @returns {string | undefined}
 */
function errorCodeIn({ headers, body }, rule) {
  if (!rule) return undefined
  const text =
    'xml' in rule ? inXml(body, rule.xml) : 'json' in rule ? inJson(body, rule.json) : headerIn(headers, rule.header)
  return text !== undefined && CODE.test(text) && !LIKE_A_SECRET.test(text) ? text : undefined
}

/**
 * The text of an element below the root. It is searched for, not parsed, because the body may be cut off.
 * @param {string} body
 * @param {[root: string, child: string]} names
 * @returns {string | undefined}
 */
function inXml(body, [root, child]) {
  const [, code] =
    new RegExp(`<${root}(?:\\s[^>]*)?>[\\s\\S]*?<${child}>\\s*([\\w.-]{1,64})\\s*</${child}>`).exec(body) ?? []
  return code
}

/** @param {string} body @param {string[]} path @returns {string | undefined} */
function inJson(body, path) {
  try {
    const value = path.reduce(
      (within, name) => (Object.hasOwn(Object(within), name) ? within[name] : undefined),
      JSON.parse(body),
    )
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

module.exports = { readBody, refusal, retryAfter, errorCodeIn }
