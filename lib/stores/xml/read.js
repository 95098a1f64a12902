'use strict'

/**
 * A parser for the XML in stores' answers. The caller names the elements that it wants. All others must be well-formed, and
 * are skipped. DTDs are not supported, so there are only XML's five entities. https://www.w3.org/TR/xml/
 *
 * No store is known to write prefixes. A wanted element with one is an error: skipping it could lose entries of a list.
 *
 * Two things are allowed that XML forbids, because stores do them: white space before the declaration, and references to
 * control characters.
 */

const { isAscii } = require('node:buffer')

const BLANK = /^[ \t\r\n]*$/
/** May contain bytes outside ASCII. */
const NAME = String.raw`[\w:.\x80-\xff-]+`
const ATTRIBUTE = String.raw`[ \t\r\n]+${NAME}[ \t\r\n]*=[ \t\r\n]*(?:"[^"<]*"|'[^'<]*')`
const START = String.raw`<((?![\d.:-])${NAME})((?:${ATTRIBUTE})*)[ \t\r\n]*(\/?)>`
const END = String.raw`<\/(${NAME})[ \t\r\n]*>`
/** Tags, comments, CDATA sections, processing instructions. */
const MARKUP = new RegExp(String.raw`${END}|${START}|<!--.*?-->|<!\[CDATA\[.*?(\]\]>)|<\?.*?\?>`, 'sy')
const MOST_DEEP = 32
/** @type {Record<string, any>} */
const NONE = {}
/** V8 copies shorter slices of a string. Longer slices keep the whole string in memory. */
const COPIED_BELOW = 13

const ENTITIES = /** @type {Record<string, string>} */ ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })
/** Written on texts that XML cannot contain. */
const ENCODED = /[ \t\r\n]Encoded[ \t\r\n]*=[ \t\r\n]*["']true["']/

/**
 * What to read of an element: its text, or its children by name. In an array: the element may occur several times.
 * `encodable`: its text, which is percent-encoded if the element has the attribute `Encoded="true"`.
 *
 * @typedef {'text' | 'encodable' | XmlShape | [XmlShape]} Wanted
 * @typedef {{ readonly [name: string]: Wanted }} XmlShape
 *
 * @typedef {object} Open an element whose end has not come yet
 * @property {string} name as it is written
 * @property {Wanted | undefined} wanted undefined: the element is skipped
 * @property {Record<string, any>} values of its children
 * @property {string} text
 * @property {boolean} encoded it has the attribute `Encoded="true"`
 */

/**
 * @param {Buffer} body a document in UTF-8
 * @param {{ readonly [root: string]: XmlShape }} shapes of the expected documents, by root; `*`: of any other root
 * @param {{ lenient?: boolean }} [how] lenient: references that XML does not define are kept as text
 * @returns {{ root: string, values?: Record<string, any> }} root: without its prefix; values: texts by name, not trimmed; an
 *   array for each name that may occur several times, empty if it does not occur; undefined for an unexpected root, whose
 *   document is not read any further
 * @throws {SyntaxError} with the reason, as half a sentence
 */
function readXml(body, shapes, { lenient = false } = {}) {
  // One character for each byte: a position in one is a position in the other.
  const text = body.toString('latin1')
  const ascii = isAscii(body)
  /** @type {Open[]} */
  const open = []
  /** @type {{ root: string, values?: Record<string, any> } | undefined} */
  let found

  /** @param {number} from @param {number} to @param {boolean} [plain] it has no references */
  function addText(from, to, plain) {
    const parent = open[open.length - 1]
    if (typeof parent?.wanted === 'string') {
      const short = ascii && to - from < COPIED_BELOW
      const piece = short ? text.slice(from, to) : body.toString(ascii ? 'latin1' : 'utf8', from, to)
      parent.text += plain || !piece.includes('&') ? piece : resolve(piece, lenient)
    } else if ((parent === undefined || parent.wanted) && !BLANK.test(text.slice(from, to))) {
      throw new SyntaxError('it has text between its elements')
    }
  }

  /**
   * Reads an element that has text alone, without attributes, as most of a list are: without a regular expression, whose findings
   * were a tenth of all that the copy of a small object allocates.
   *
   * @param {number} at of its `<`
   * @returns {boolean} whether there is one that is wanted
   */
  function readLeaf(at) {
    const { wanted, values } = open[open.length - 1] ?? NONE
    if (!ascii || typeof wanted !== 'object') return false
    const from = text.indexOf('>', at) + 1
    const name = text.slice(at + 1, from - 1)
    const shape = /** @type {XmlShape} */ (wanted)
    if (!Object.hasOwn(shape, name) || typeof shape[name] !== 'string' || Object.hasOwn(values, name)) return false
    const to = text.indexOf('<', from)
    const end = to + 2 + name.length
    if (to < 0 || text[to + 1] !== '/' || !text.startsWith(name, to + 2) || text[end] !== '>') return false
    const copied = to - from < COPIED_BELOW ? text.slice(from, to) : body.toString('latin1', from, to)
    values[name] = copied.includes('&') ? resolve(copied, lenient) : copied
    MARKUP.lastIndex = end + 1
    return true
  }

  /** @param {string} name @param {string} attributes */
  function enter(name, attributes) {
    const parent = open[open.length - 1]
    if (parent === undefined && found) throw new SyntaxError('it has markup that is none')
    if (open.length >= MOST_DEEP) throw new SyntaxError('its elements are nested too deep')
    /** @type {Open} */
    const element = {
      name,
      wanted: undefined,
      values: NONE,
      text: '',
      encoded: attributes !== '' && ENCODED.test(attributes),
    }
    open.push(element)
    const within = parent === undefined ? shapes : parent.wanted
    if (typeof within === 'string') throw new SyntaxError(`it has elements where text is expected, ${shown(name)}`)
    const local = name.slice(name.indexOf(':') + 1)
    const shape = /** @type {XmlShape} */ (within ?? NONE)
    const wanted = Object.hasOwn(shape, local) ? shape[local] : parent === undefined ? shape['*'] : undefined
    if (wanted && name !== local) throw new SyntaxError(`it has an element of another namespace, ${shown(name)}`)
    const many = Array.isArray(wanted)
    element.wanted = many ? wanted[0] : wanted
    if (wanted && typeof wanted !== 'string') element.values = valuesOf(/** @type {XmlShape} */ (element.wanted))
    if (parent === undefined) found = { root: local, values: wanted && element.values }
    else if (many) parent.values[name].push(element.values)
    else if (wanted && Object.hasOwn(parent.values, name)) throw new SyntaxError(`it has ${name} twice`)
    else if (wanted) parent.values[name] = element.values
  }

  /** @param {string} name */
  function leave(name) {
    const last = open.pop()
    if (last?.name !== name) throw new SyntaxError('its elements do not end as they begin')
    if (typeof last.wanted !== 'string') return
    const encoded = last.encoded && last.wanted === 'encodable'
    open[open.length - 1].values[name] = encoded ? decoded(last.text) : last.text
  }

  for (let at = text.startsWith('\xef\xbb\xbf') ? 3 : 0; at < text.length; at = MARKUP.lastIndex) {
    const next = text.indexOf('<', at)
    if (next !== at) addText(at, next === -1 ? text.length : next)
    if (next === -1) break
    if (readLeaf(next)) continue
    MARKUP.lastIndex = next
    const markup = MARKUP.exec(text) ?? fail(text, next)
    const ended = markup[1]
    const begun = markup[2]
    if (begun !== undefined) enter(begun, markup[3])
    if (found?.values === undefined && found) return found
    if (ended !== undefined || markup[4]) leave(ended ?? begun)
    if (markup[5]) addText(next + '<![CDATA['.length, MARKUP.lastIndex - markup[5].length, true)
  }
  if (!found) throw new SyntaxError('it is empty')
  if (open.length > 0) throw new SyntaxError('it breaks off')
  return found
}

/** @param {string} text @param {number} at where no markup is @returns {never} */
function fail(text, at) {
  if (/^<!(?!--|\[CDATA\[)/.test(text.slice(at, at + 9))) throw new SyntaxError('it has a document type')
  throw new SyntaxError(text.includes('>', at) ? 'it has markup that is none' : 'it breaks off')
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new SyntaxError(`it has a text that is not percent-encoded, ${shown(text)}`)
  }
}

/** The values of an empty element. @param {XmlShape} shape @returns {Record<string, any>} */
function valuesOf(shape) {
  /** @type {Record<string, any>} */
  const values = {}
  for (const name in shape) if (Array.isArray(shape[name])) values[name] = []
  return values
}

/** @param {string} text @param {boolean} lenient */
function resolve(text, lenient) {
  // Nothing but the quotes of an ETag.
  const quoted = text.replaceAll('&quot;', '"')
  if (!quoted.includes('&')) return quoted
  const resolved = text.replace(/&(?:#x([0-9a-f]{1,6});|#(\d{1,7});|([a-z]+);)?/gi, (reference, hex, decimal, name) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    if (code <= 0x10ffff) return String.fromCodePoint(code)
    if (name !== undefined && Object.hasOwn(ENTITIES, name)) return ENTITIES[name]
    if (lenient) return reference
    throw new SyntaxError(`it has a reference to nothing, ${shown(reference)}`)
  })
  // Two references, to the halves of a surrogate pair, are one character above U+FFFF. One half alone is an error.
  if (!lenient && /\p{Surrogate}/u.test(resolved)) throw new SyntaxError('it has half of a character')
  return resolved
}

/** @param {string} text */
function shown(text) {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}

module.exports = { readXml, valuesOf }
