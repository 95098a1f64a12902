'use strict'

/**
 * The rules of an invocation, which say as data how to read a store's answers, so that the action knows no store; and what an
 * answer says by them: of its object, of its checksums, and why a request was refused. Pure.
 */

const { Failure } = require('./failure')
const { wordsOfRefusal } = require('./redact')
const { SUM_BYTES, decodeSum } = require('./sums')

/** @typedef {import('./transport').Answer} Answer */
/** @typedef {import('../../lib/types').AnswerRule} AnswerRule */
/** @typedef {NonNullable<AnswerRule['describes']>} Describing */

const MOST_RULES = 16
const MOST_NAMES = 64

/** Headers that never leave the function, whatever a rule asks for. */
const SECRET = ['authorization', 'cookie', 'location', 'proxy-authenticate', 'set-cookie', 'www-authenticate']
/** What they begin with, themselves included. */
const SECRET_STARTS = SECRET.flatMap(name => Array.from(name, (_, at) => name.slice(0, at + 1)))

/**
 * What a value in a rule looks like. A kind has one of these: `text`, and none of `but`; `among`, one of those;
 * `status`, from the first to before the second; `flag`; `list`, of such items; `values`, an object of such values;
 * `fields`, an object that has these, and may have others; `one`, an object with nothing but one of these.
 * @typedef {object} RuleKind
 * @property {RegExp} [text]
 * @property {string[]} [but]
 * @property {string[]} [among]
 * @property {[number, number]} [status]
 * @property {true} [flag]
 * @property {RuleKind} [list]
 * @property {number} [least] characters, or items
 * @property {number} [most] items
 * @property {RuleKind} [values]
 * @property {Record<string, RuleKind>} [fields]
 * @property {Record<string, RuleKind>} [one]
 * @property {true} [optional] it may be absent
 */

/** A header's name (RFC 9110 section 5.6.2), in lower case. */
const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/
const ANY_TEXT = { text: /^/ }
/** The name of a header that may be told. */
const TELLABLE = { text: NAME, but: SECRET }
const PREFIX = { text: NAME, least: 3, but: SECRET_STARTS }
/** An element of XML, as far as error documents have such. */
const ELEMENT = { text: /^[A-Za-z_][\w.-]{0,63}$/ }

/** @type {Record<string, RuleKind>} */
const CHECKSUM = {
  sum: { among: Object.keys(SUM_BYTES) },
  header: TELLABLE,
  encoding: { among: ['base64', 'base64le', 'hex'] },
  member: { text: NAME, optional: true },
  only: { fields: { header: { text: NAME }, value: ANY_TEXT }, optional: true },
}

/** @type {Record<string, RuleKind>} */
const DESCRIPTION = {
  names: { list: TELLABLE },
  prefixes: { list: PREFIX, optional: true },
  defaults: { values: ANY_TEXT, optional: true },
  framings: { list: { text: NAME }, optional: true },
}

/** The fields of a rule. @type {Record<string, RuleKind>} */
const FIELDS = {
  statuses: { list: { status: [200, 300] }, least: 1 },
  changed: { list: { status: [400, 600] }, optional: true },
  etag: { fields: { header: TELLABLE, required: { flag: true } }, optional: true },
  checksums: { list: { fields: CHECKSUM }, optional: true },
  describes: { fields: DESCRIPTION, optional: true },
  tells: { list: TELLABLE, optional: true },
  errorCode: { one: { xml: { list: ELEMENT, least: 2, most: 2 }, header: TELLABLE }, optional: true },
  errorMessage: { one: { xml: { list: ELEMENT, least: 2 } }, optional: true },
}

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
    const wrong = isObject(rule) ? wrongField(rule, FIELDS) : 'all of it'
    if (wrong)
      return `The parameter accepts is not understood: ${wrong} of the rule ${JSON.stringify(name.slice(0, 32))}.`
  }
  return undefined
}

/**
 * @param {Record<string, unknown>} given
 * @param {Record<string, RuleKind>} fields
 * @returns {string | undefined} the first that is not understood
 */
function wrongField(given, fields) {
  for (const field in fields) {
    const kind = fields[field]
    if (given[field] === undefined ? !kind.optional : !fits(given[field], kind)) return field
  }
  return undefined
}

/** @param {any} value @param {RuleKind} kind @returns {boolean} */
function fits(value, { text, but, among, status, flag, list, least = 0, most = MOST_NAMES, values, fields, one }) {
  if (text) return typeof value === 'string' && value.length >= least && text.test(value) && !but?.includes(value)
  if (among) return among.includes(value)
  if (status) return Number.isInteger(value) && value >= status[0] && value < status[1]
  if (flag) return typeof value === 'boolean'
  if (list) {
    if (!Array.isArray(value) || value.length < least || value.length > most) return false
    for (const item of value) if (!fits(item, list)) return false
    return true
  }
  if (!isObject(value)) return false
  if (fields) return wrongField(value, fields) === undefined
  const names = Object.keys(value)
  if (one) return names.length === 1 && Object.hasOwn(one, names[0]) && fits(value[names[0]], one[names[0]])
  for (const name of names) if (!values || !fits(value[name], values)) return false
  return true
}

/** @param {any} value */
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * @param {unknown} name of a rule among those that came with the invocation
 * @param {Record<string, AnswerRule>} [rules] those
 * @returns {AnswerRule | undefined} undefined if there is no such rule
 */
function ruleNamed(name, rules = {}) {
  return typeof name === 'string' && Object.hasOwn(rules, name) ? rules[name] : undefined
}

/**
 * The checksums of the whole object, as far as the answer to a read has them.
 *
 * @param {Answer['headers']} headers
 * @param {AnswerRule['checksums']} [rules]
 * @returns {import('../../lib/types').Sums} as in a task's `expect`
 */
function sumsIn(headers, rules = []) {
  /** @type {import('../../lib/types').Sums} */
  const found = {}
  for (const { sum, header, encoding, member, only } of rules) {
    const text = headerIn(headers, header)
    if (text === undefined) continue
    const kind = only && headerIn(headers, only.header)
    if (kind && kind !== only?.value) continue
    const value = decodeSum(sum, member === undefined ? text : memberOf(text, member), encoding)
    if (value !== undefined) found[sum] = value
  }
  return found
}

/**
 * The value of one name in a list such as `crc32c=AAAAAA==,md5=…`, or `crc32c=:AAAAAA==:` (RFC 8941 section 3.3.5).
 *
 * @param {string} list
 * @param {string} name in lower case
 * @returns {string} empty if it is not there
 */
function memberOf(list, name) {
  const members = list.split(',').map(each => each.trim())
  const member = members.find(each => each.toLowerCase().startsWith(`${name}=`)) ?? ''
  return member.slice(name.length + 1).replace(/^:(.*):$/, '$1')
}

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
 * Normalizes an ETag for comparison: some stores return weak ones, some leave out the quotes.
 * @param {string} etag
 */
function bareEtag(etag) {
  const text = etag.trim()
  const from = text.startsWith('W/') ? 2 : 0
  const quoted = text.length > from + 1 && text[from] === '"' && text.endsWith('"')
  return quoted ? text.slice(from + 1, -1) : text.slice(from)
}

/**
 * Checks that the answer is of the object and the range that were asked for (RFC 9110 sections 14.4 and 15.3.7).
 * @param {Answer} source
 * @param {import('./task').Work} work
 * @throws {Failure}
 */
function checkHead({ status, headers }, { bytes, start, expect, read }) {
  const { etag: tag } = read.rule
  const etag = tag && headerIn(headers, tag.header)
  // Where an ETag pins the object, an answer without one cannot be told from another object's.
  if (expect.etag && tag?.required && !etag) throw new Failure('BAD_ANSWER', { side: 'read', detail: 'it has no ETag' })
  if (expect.etag && etag && etag !== expect.etag && bareEtag(etag) !== bareEtag(expect.etag)) {
    throw new Failure('SOURCE_CHANGED', { side: 'read', expected: expect.etag, found: etag.slice(0, 128) })
  }
  const asked = `bytes ${start}-${start + bytes - 1}/${expect.totalBytes}`
  const found = headerIn(headers, 'content-range')
  if (found !== undefined && found !== asked) checkRange(found, start, bytes, expect.totalBytes)
  // Without Content-Range, 200 is the whole object and 206 is several ranges at once.
  if (found === undefined && (status === 206 || bytes !== expect.totalBytes)) {
    throw new Failure('WRONG_RANGE', { side: 'read', expected: asked, found: `${status} without Content-Range` })
  }
  const length = headerIn(headers, 'content-length')
  if (length !== undefined && Number(length) !== bytes) {
    throw new Failure('BODY_LENGTH', { side: 'read', expected: bytes, found: Number(length) })
  }
}

/**
 * @param {string} found
 * @param {number} start
 * @param {number} bytes
 * @param {number} totalBytes
 */
function checkRange(found, start, bytes, totalBytes) {
  const [, from, to, total] = /^bytes\s+(\d+)-(\d+)\/(\d+|\*)$/i.exec(found) ?? []
  if (from === undefined) throw new Failure('BAD_ANSWER', { side: 'read', detail: 'its Content-Range cannot be read' })
  // A range of a shorter object ends earlier too.
  if (total !== '*' && Number(total) !== totalBytes) {
    throw new Failure('SOURCE_CHANGED', { side: 'read', expected: totalBytes, found: Number(total) })
  }
  if (Number(from) !== start || Number(to) !== start + bytes - 1) {
    const expected = `${start}-${start + bytes - 1}`
    throw new Failure('WRONG_RANGE', { side: 'read', expected, found: `${from}-${to}` })
  }
  if (total === '*')
    throw new Failure('BAD_ANSWER', { side: 'read', detail: 'it does not tell the size of the object' })
}

/** Stores allow an object at most some 8 KB of headers. An answer with more did not come from an object store. */
const MOST_BYTES = 8_192

/**
 * The headers that describe the object. No other header leaves the function. Left out are headers that mean the same as none: a default, an empty value that is no
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
  const { prefixes = [], defaults, framings } = rule
  for (const name of Object.keys(headers).sort()) {
    const isNamed = rule.names.includes(name)
    let described = isNamed
    // `for … of` makes an object for each, as long as V8 has not optimized it: a prefix of some thousand objects is done before.
    for (let i = 0; !described && i < prefixes.length; i++) described = name.startsWith(prefixes[i])
    if (!described) continue
    const given = headerIn(headers, name) ?? ''
    const framed = isNamed && framings && name === 'content-encoding'
    const value = framed ? withoutFraming(given, framings) : given
    if (!isNamed || (value !== '' && value !== defaults?.[name])) found[name] = value
  }
  return found
}

/** @param {string} encoding @param {string[]} framings */
function withoutFraming(encoding, framings) {
  const tokens = encoding.split(',').map(token => token.trim())
  const own = tokens.filter(token => !framings.includes(token))
  return own.length < tokens.length ? own.join(',') : encoding
}

/** @param {Answer['headers']} headers @param {string[]} [names] @returns {Record<string, string>} those that are there and not empty */
function some(headers, names = []) {
  const found = names.map(name => [name, headerIn(headers, name) ?? ''])
  return Object.fromEntries(found.filter(([, value]) => value !== ''))
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
 * @returns {import('../../lib/types').TaskHeaders}
 */
function reportedHeaders(read, write) {
  const { headers, rule } = read
  const described = unlessLong({ ...describing(headers, rule.describes), ...some(headers, rule.tells) })
  return {
    ...(described && { read: described }),
    ...(write && { write: unlessLong(some(write.headers, write.rule.tells)) ?? {} }),
  }
}

/** What a code is made of. */
const CODE = /^[\w.-]{1,64}$/

/** No code is so long and has digits; signatures, keys and tokens are, and some stores repeat them. */
const LIKE_A_SECRET = /^(?=.*\d).{32,}$/

/**
 * The store's error code in a refusal.
 *
 * @param {{ headers: Answer['headers'], body: string }} answer
 * @param {AnswerRule['errorCode']} rule where to find it; absent: the store has none
 * @returns {string | undefined}
 */
function errorCodeIn({ headers, body }, rule) {
  if (!rule) return undefined
  const text = 'xml' in rule ? inXml(body, rule.xml) : headerIn(headers, rule.header)
  return text !== undefined && CODE.test(text) && !LIKE_A_SECRET.test(text) ? text : undefined
}

/** Names of headers and parameters whose values open something, whatever the store. */
const OPENS = /auth|credential|key|sig|token/i

/**
 * What a store says of its refusal. A store may repeat the request, so the request's secrets are taken out.
 *
 * @param {string} body
 * @param {AnswerRule['errorMessage']} rule where to find it; absent: the store has none
 * @param {Pick<import('./transport').WireRequest, 'headers' | 'path'>} request that was refused
 * @returns {string | undefined}
 */
function errorMessageIn(body, rule, { headers, path }) {
  if (!rule) return undefined
  const [root, ...children] = rule.xml
  const found = children.map(child => inXml(body, [root, child], '[^<]+')).find(text => text !== undefined)
  if (found === undefined) return undefined
  const given = [...Object.entries(headers), ...new URLSearchParams(path.replace(/^[^?]*/, ''))]
  const secrets = given.flatMap(([name, value]) => (OPENS.test(name) ? [String(value)] : []))
  return wordsOfRefusal(withoutReferences(found), secrets)
}

/** @type {Record<string, string>} */
const REFERENCES = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }

/** @param {string} text of XML */
function withoutReferences(text) {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|apos|gt|lt|quot));/gi, (whole, decimal, hex, name) => {
    if (name) return REFERENCES[name.toLowerCase()]
    const point = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}

/**
 * The text of an element below the root. It is searched for, not parsed, because the body may be cut off.
 * @param {string} body
 * @param {[root: string, child: string]} names
 * @param {string} [what] the expression of the text
 * @returns {string | undefined}
 */
function inXml(body, [root, child], what = '[\\w.-]{1,64}') {
  const [, text] = new RegExp(`<${root}(?:\\s[^>]*)?>[\\s\\S]*?<${child}>\\s*(${what})\\s*</${child}>`).exec(body) ?? []
  return text
}

module.exports = {
  NAME,
  bareEtag,
  checkHead,
  describing,
  errorCodeIn,
  errorMessageIn,
  headerIn,
  isObject,
  reportedHeaders,
  ruleNamed,
  rulesError,
  sumsIn,
  unlessLong,
}
