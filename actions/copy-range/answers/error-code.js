'use strict'

const { headerIn } = require('./header')

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

module.exports = { errorCodeIn }
