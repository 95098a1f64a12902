'use strict'

/**
 * The rules of an invocation: they say as data how to read a store's answers, so that the action knows no store. Pure.
 */

const { isSumName } = require('../sums')

/** @typedef {import('../../../lib/types').AnswerRule} AnswerRule */

const MOST_RULES = 16
const MOST_NAMES = 64

/** A header's name (RFC 9110 section 5.6.2), in lower case. */
const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/
/** Of an element of XML, as far as error documents have such. */
const ELEMENT = /^[A-Za-z_][\w.-]{0,63}$/

/** Headers that never leave the function, whatever a rule asks for. */
const SECRET = ['authorization', 'cookie', 'location', 'proxy-authenticate', 'set-cookie', 'www-authenticate']

/**
 * Checks the parameter `accepts`. Returns why it cannot be used.
 * @param {unknown} accepts
 * @returns {string | undefined}
 */
function rulesError(accepts = {}) {
  if (!isObject(accepts)) return 'The parameter accepts is no object.'
  const rules = Object.entries(/** @type {object} */ (accepts))
  if (rules.length > MOST_RULES) return `The parameter accepts has more than ${MOST_RULES} rules.`
  for (const [name, rule] of rules) {
    const wrong = wrongIn(rule)
    if (wrong)
      return `The parameter accepts is not understood: of the rule ${JSON.stringify(name.slice(0, 32))} ${wrong}.`
  }
  return undefined
}

/** @param {any} rule @returns {string | undefined} what of it cannot be understood */
function wrongIn(rule) {
  if (!isObject(rule)) return 'nothing is there'
  const { statuses, etag, changed, checksums, describes, tells, errorCode } = rule
  if (!isList(statuses, isSuccess) || statuses.length === 0) return 'statuses is no list of statuses of success'
  if (!maybe(changed, value => isList(value, isRefusal))) return 'changed is no list of statuses of refusal'
  if (!maybe(etag, isEtag)) return 'etag is no header and whether it is required'
  if (!maybe(checksums, value => isList(value, isChecksum)))
    return 'checksums is no list of those that the action computes'
  if (!maybe(describes, isDescription)) return 'describes is no choice of headers that may be told'
  if (!maybe(tells, value => isList(value, isTellable))) return 'tells is no list of headers that may be told'
  if (!maybe(errorCode, isErrorCode)) return 'errorCode is no place of an answer'
  return undefined
}

/** @param {any} value */
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)
/** @param {any} value @param {(value: any) => boolean} fits */
const maybe = (value, fits) => value === undefined || fits(value)
/** @param {any} value @param {(item: any) => boolean} fits */
const isList = (value, fits) => Array.isArray(value) && value.length <= MOST_NAMES && value.every(fits)

/** @param {any} status */
const isSuccess = status => Number.isInteger(status) && status >= 200 && status < 300
/** @param {any} status */
const isRefusal = status => Number.isInteger(status) && status >= 400 && status < 600
/** @param {any} name */
const isName = name => typeof name === 'string' && NAME.test(name)
/** @param {any} name */
const isTellable = name => isName(name) && !SECRET.includes(name)
/** @param {any} prefix */
const isTellablePrefix = prefix => isName(prefix) && prefix.length > 2 && !SECRET.some(name => name.startsWith(prefix))

/** @param {any} etag */
const isEtag = etag => isObject(etag) && isTellable(etag.header) && typeof etag.required === 'boolean'

/** @param {any} checksum */
function isChecksum(checksum) {
  if (!isObject(checksum)) return false
  const { sum, header, encoding, member, only } = checksum
  const known = isSumName(sum) && ['base64', 'base64le', 'hex'].includes(encoding) && maybe(member, isName)
  const kind = maybe(only, value => isObject(value) && isName(value.header) && typeof value.value === 'string')
  return known && isTellable(header) && kind
}

/** @param {any} describes */
function isDescription(describes) {
  if (!isObject(describes)) return false
  const { names, prefixes, defaults, framings } = describes
  const texts = (/** @type {any} */ value) => typeof value === 'string'
  return (
    isList(names, isTellable) &&
    maybe(prefixes, value => isList(value, isTellablePrefix)) &&
    maybe(defaults, value => isObject(value) && Object.values(value).every(texts)) &&
    maybe(framings, value => isList(value, isName))
  )
}

/** @param {any} place */
function isErrorCode(place) {
  if (!isObject(place) || Object.keys(place).length !== 1) return false
  const { xml, json, header } = place
  if (xml !== undefined) return isList(xml, name => typeof name === 'string' && ELEMENT.test(name)) && xml.length === 2
  if (json !== undefined) return isList(json, name => typeof name === 'string') && json.length > 0
  return isTellable(header)
}

/**
 * @param {unknown} name of a rule among those that came with the invocation
 * @param {Record<string, AnswerRule>} [rules] those
 * @returns {AnswerRule | undefined} undefined if there is no such rule
 */
function ruleNamed(name, rules = {}) {
  return typeof name === 'string' && Object.hasOwn(rules, name) ? rules[name] : undefined
}

module.exports = { rulesError, ruleNamed }
