'use strict'

/**
 * Reads the headers that describe the object from an answer, by the rule of its store. No other header leaves the function,
 * and these only within the size that objects may have.
 */

/** @typedef {import('../transport').Answer} Answer */
/** @typedef {import('../../../lib/types').AnswerRule} AnswerRule */
/** @typedef {NonNullable<AnswerRule['describes']>} Describing */

/**
 * Stores allow an object at most some 8 KB of headers. An answer with more
 * did not come from an object store.
 */
const MOST_BYTES = 8_192

/**
 * The headers that describe the object. Left out are headers that mean the same as none: a default, an empty value that is no
 * user metadata, and an upload's framing that the store kept as the object's Content-Encoding.
 *
 * @param {Answer['headers']} headers by their names in lower case
 * @param {Describing} [rule] absent: no header does
 * @returns {Record<string, string>} in the order of the names
 */
function describing(headers, rule) {
  /** @type {Record<string, string>} */
  const found = {}
  if (!rule) return found
  const { prefixes = [] } = rule
  const names = namesOf(rule)
  const telling = []
  for (const name in headers) {
    if (names.has(name) || prefixes.some(prefix => name.startsWith(prefix))) telling.push(name)
  }
  for (const name of telling.sort()) {
    const value = joined(headers[name])
    const meaning = names.has(name) ? meaningOf(name, value, rule) : value
    if (meaning !== undefined) found[name] = meaning
  }
  return found
}

/** @type {WeakMap<Describing, Set<string>>} */
const known = new WeakMap()

/** @param {Describing} rule */
function namesOf(rule) {
  const names = known.get(rule) ?? new Set(rule.names)
  known.set(rule, names)
  return names
}

/** @type {Record<string, string>} */
const NONE = {}

/** @param {string} name @param {string} value @param {Describing} rule @returns {string | undefined} undefined: it says nothing */
function meaningOf(name, value, { defaults = NONE, framings }) {
  const own = framings && name === 'content-encoding' ? withoutFraming(value, framings) : value
  return own === '' || (Object.hasOwn(defaults, name) && own === defaults[name]) ? undefined : own
}

/** @param {string} encoding @param {string[]} framings */
function withoutFraming(encoding, framings) {
  const tokens = encoding.split(',').map(token => token.trim())
  const own = tokens.filter(token => !framings.includes(token))
  return own.length < tokens.length ? own.join(',') : encoding
}

/** @param {string | string[] | undefined} value */
function joined(value) {
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}

/**
 * @param {Record<string, string>} found
 * @param {Record<string, string>} expected
 */
function isAs(found, expected) {
  const names = Object.keys(found)
  return (
    names.length === Object.keys(expected).length &&
    names.every(name => Object.hasOwn(expected, name) && expected[name] === found[name])
  )
}

/** @param {Answer['headers']} headers @param {string[]} [names] @returns {Record<string, string>} those that are there and not empty */
function some(headers, names = []) {
  /** @type {Record<string, string>} */
  const there = {}
  for (const name of names) {
    const value = joined(headers[name])
    if (value !== '') there[name] = value
  }
  return there
}

/**
 * @param {Record<string, string>} headers
 * @returns {Record<string, string> | undefined} the same; undefined if they are longer than objects may have
 */
function unlessLong(headers) {
  const bytes = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return bytes > MOST_BYTES ? undefined : headers
}

/**
 * The headers that an outcome returns if its task asks for them.
 *
 * @param {{ headers: Answer['headers'], rule: AnswerRule }} read
 * @param {{ headers: Answer['headers'], rule: AnswerRule }} [write] absent: the task had none
 * @returns {import('../../../lib/types').TaskHeaders}
 */
function reportedHeaders(read, write) {
  const described = unlessLong({
    ...describing(read.headers, read.rule.describes),
    ...some(read.headers, read.rule.tells),
  })
  return {
    ...(described && { read: described }),
    ...(write && { write: unlessLong(some(write.headers, write.rule.tells)) ?? {} }),
  }
}

module.exports = { describing, isAs, reportedHeaders, unlessLong }
