'use strict'

/**
 * A parser for the XML in stores' answers. The caller names the elements that it wants. All others must be well-formed, and
 * are skipped. DTDs are not supported, so there are only XML's five entities. https://www.w3.org/TR/xml/
 *
 * Namespaces (https://www.w3.org/TR/xml-names/): prefixes are resolved, so `<x:Key>` is `<Key>` if `x` stands for the
 * store's namespace. An element is read if it is in the namespace of the document's root, in the store's, or in none. An
 * element with a wanted name in any other namespace is an error: skipping it could lose entries of a list.
 *
 * Two things are allowed that XML forbids, because stores do them: white space before the declaration, and references to
 * control characters.
 */

const { isAscii } = require('node:buffer')

const XML_ONLY = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])
const BLANK = /^[ \t\r\n]*$/
/** The rest of a start tag, after the name. Names may contain bytes outside ASCII. */
const REST_OF_TAG = /((?:[ \t\r\n]+[\w:.\x80-\xff-]+[ \t\r\n]*=[ \t\r\n]*(?:"[^"<]*"|'[^'<]*'))*)[ \t\r\n]*(\/?)>/y
const MOST_DEEP = 32
/** V8 copies shorter slices of a string. Longer slices keep the whole string in memory. */
const COPIED_BELOW = 13
const [BANG, SLASH, COLON, GREATER, QUESTION] = [0x21, 0x2f, 0x3a, 0x3e, 0x3f]

const ENTITIES = /** @type {Record<string, string>} */ ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })
const NAMESPACES = /[ \t\r\n]xmlns(?::([\w.-]+))?[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/g
/** Written on texts that XML cannot contain. */
const ENCODED = /[ \t\r\n]Encoded[ \t\r\n]*=[ \t\r\n]*["']true["']/

/**
 * What to read of an element: its text, or its children by name. In an array: the element may occur several times.
 * `encodable`: its text, which is percent-encoded if the element has the attribute `Encoded="true"`.
 *
 * @typedef {'text' | 'encodable' | Shape | [Shape]} Wanted
 * @typedef {{ readonly [name: string]: Wanted }} Shape
 *
 * @typedef {object} Open an element whose end has not come yet
 * @property {string} name as it is written
 * @property {Wanted | undefined} wanted undefined: the element is skipped
 * @property {string} local its name without the prefix
 * @property {Record<string, any>} values of its children
 * @property {string} text
 * @property {boolean} encoded it has the attribute `Encoded="true"`
 * @property {Scope} scope
 */

/**
 * @param {Buffer} body a document in UTF-8
 * @param {{ readonly [root: string]: Shape }} shapes of the expected documents, by root; `*`: of any other root
 * @param {{ lenient?: boolean, namespace?: string }} [how] lenient: references that XML does not define are kept as text;
 *   namespace: the store's own
 * @returns {{ root: string, values?: Record<string, any> }} root: without its prefix; values: texts by name, not trimmed; an
 *   array for each name that may occur several times, empty if it does not occur; undefined for an unexpected root, whose
 *   document is not read any further
 * @throws {SyntaxError} with the reason, as half a sentence
 */
function readXml(body, shapes, { lenient = false, namespace = '' } = {}) {
  // One character for each byte: a position in one is a position in the other.
  const text = body.toString('latin1')
  const ascii = isAscii(body)
  const encoding = ascii ? 'latin1' : 'utf8'
  let at = text.startsWith('\xef\xbb\xbf') ? 3 : 0
  /** @type {Open[]} */
  const open = []
  /** @type {string | undefined} */
  let root
  let rootSpace = ''
  /** @type {Record<string, any> | undefined} */
  let values

  /** @param {number} from @param {number} to */
  function textOf(from, to) {
    const piece = ascii && to - from < COPIED_BELOW ? text.slice(from, to) : body.toString(encoding, from, to)
    return piece.includes('&') ? resolve(piece, lenient) : piece
  }

  /** @param {number} from @param {number} to */
  function addText(from, to) {
    const parent = open[open.length - 1]
    if (isText(parent?.wanted)) parent.text += textOf(from, to)
    else if (parent?.wanted === undefined && parent) return
    else if (!BLANK.test(text.slice(from, to))) throw new SyntaxError('it has text between its elements')
  }

  /** @param {number} from @param {string} mark @returns {number} the position after the mark */
  function behind(from, mark) {
    const found = text.indexOf(mark, from)
    if (found === -1) throw new SyntaxError('it breaks off')
    return found + mark.length
  }

  /** A comment or a CDATA section. @param {number} from */
  function special(from) {
    if (text.startsWith('<!--', from)) return behind(from + 4, '-->')
    if (!text.startsWith('<![CDATA[', from) || open.length === 0) throw new SyntaxError('it has a document type')
    const end = behind(from + 9, ']]>')
    const parent = open[open.length - 1]
    if (isText(parent.wanted)) parent.text += body.toString(encoding, from + 9, end - 3)
    else addText(from + 9, end - 3)
    return end
  }

  /** @param {number} from @returns {number} the position after the tag */
  function close(from) {
    const last = open.pop()
    const end = behind(from, '>')
    if (last === undefined || text.slice(from + 2, end - 1).trimEnd() !== last.name) {
      throw new SyntaxError('its elements do not end as they begin')
    }
    leave(last, open[open.length - 1])
    return end
  }

  /** @param {number} from @returns {number} the position after the tag */
  function begin(from) {
    let stop = from + 1
    while (isNameByte(text.charCodeAt(stop))) stop++
    const name = text.slice(from + 1, stop)
    if (!/^[^\d.:-]/.test(name) || (open.length === 0 && root !== undefined))
      throw new SyntaxError('it has markup that is none')
    if (open.length >= MOST_DEEP) throw new SyntaxError('its elements are nested too deep')
    const parent = open[open.length - 1]
    let scope = parent?.scope ?? { usual: '', prefixes: XML_ONLY }
    let empty = false
    let encoded = false
    let end = stop + 1
    if (text.charCodeAt(stop) !== GREATER) {
      REST_OF_TAG.lastIndex = stop
      const rest = REST_OF_TAG.exec(text)
      if (!rest) throw new SyntaxError(text.includes('>', stop) ? 'it has markup that is none' : 'it breaks off')
      empty = rest[2] !== ''
      end = REST_OF_TAG.lastIndex
      scope = scopeOf(scope, rest[1])
      encoded = ENCODED.test(rest[1])
    }
    const colon = name.indexOf(':')
    const local = colon === -1 ? name : name.slice(colon + 1)
    const space = colon === -1 ? scope.usual : scope.prefixes.get(name.slice(0, colon))
    if (space === undefined) throw new SyntaxError(`it has a prefix that stands for nothing, ${shown(name)}`)
    /** @type {Open} */
    const element = { name, local, scope, encoded, wanted: undefined, values: {}, text: '' }
    enter(element, space, parent)
    if (empty) leave(element, parent)
    else open.push(element)
    return end
  }

  /** What is wanted of an element, and where its values go. @param {Open} element @param {string} space @param {Open} [parent] */
  function enter(element, space, parent) {
    const { name, local } = element
    if (parent === undefined) {
      root = local
      rootSpace = space
      element.wanted = Object.hasOwn(shapes, local) ? shapes[local] : shapes['*']
      element.values = valuesOf(element.wanted ?? {})
      values = element.wanted && element.values
      return
    }
    if (isText(parent.wanted)) throw new SyntaxError(`it has elements where text is expected, ${shown(name)}`)
    if (parent.wanted === undefined || !Object.hasOwn(parent.wanted, local)) return
    if (space !== rootSpace && space !== '' && space !== namespace) {
      throw new SyntaxError(`it has an element of another namespace, ${shown(name)}`)
    }
    const wanted = /** @type {Shape} */ (parent.wanted)[local]
    const into = parent.values
    const many = Array.isArray(wanted)
    if (!many && Object.hasOwn(into, local)) throw new SyntaxError(`it has ${local} twice`)
    element.wanted = many ? wanted[0] : wanted
    if (!isText(element.wanted)) element.values = valuesOf(element.wanted)
    if (many) into[local].push(element.values)
    else into[local] = isText(wanted) ? '' : element.values
  }

  /** @param {Open} element @param {Open} [parent] */
  function leave({ local, wanted, text, encoded }, parent) {
    if (parent && isText(wanted)) parent.values[local] = encoded && wanted === 'encodable' ? decoded(text) : text
  }

  /**
   * A fast path for nearly all elements: `<Name>text</Name>`, whose text is wanted, or which is skipped.
   *
   * @param {number} from
   * @returns {number} the position after the element; -1 for any other element
   */
  function leaf(from) {
    const parent = open[open.length - 1]
    if (parent === undefined || typeof parent.wanted !== 'object') return -1
    if (parent.scope.usual !== rootSpace) return -1
    let stop = from + 1
    for (let code = text.charCodeAt(stop); code !== COLON && isNameByte(code); ) code = text.charCodeAt(++stop)
    if (text.charCodeAt(stop) !== GREATER) return -1
    const next = text.indexOf('<', stop)
    const length = stop - from - 1
    if (next === -1 || text.charCodeAt(next + 1) !== SLASH || text.charCodeAt(next + 2 + length) !== GREATER) return -1
    const name = text.slice(from + 1, stop)
    if (!text.startsWith(name, next + 2)) return -1
    const shape = /** @type {Shape} */ (parent.wanted)
    if (Object.hasOwn(shape, name)) {
      if (!isText(shape[name])) return -1
      if (Object.hasOwn(parent.values, name)) throw new SyntaxError(`it has ${name} twice`)
      parent.values[name] = textOf(stop + 1, next)
    }
    return next + 3 + length
  }

  while (at < text.length) {
    const next = text.indexOf('<', at)
    if (next !== at) addText(at, next === -1 ? text.length : next)
    if (next === -1) break
    const sign = text.charCodeAt(next + 1)
    if (sign === SLASH) at = close(next)
    else if (sign === BANG) at = special(next)
    else if (sign === QUESTION) at = behind(next, '?>')
    else {
      const end = leaf(next)
      at = end === -1 ? begin(next) : end
      if (values === undefined) return { root: /** @type {string} */ (root) }
    }
  }
  if (root === undefined) throw new SyntaxError('it is empty')
  if (open.length > 0) throw new SyntaxError('it breaks off')
  return { root, values }
}

/** @param {Wanted | undefined} wanted */
function isText(wanted) {
  return wanted === 'text' || wanted === 'encodable'
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new SyntaxError(`it has a text that is not percent-encoded, ${shown(text)}`)
  }
}

/** The values of an empty element. @param {Wanted} wanted @returns {Record<string, any>} */
function valuesOf(wanted) {
  /** @type {Record<string, any>} */
  const values = {}
  for (const name in /** @type {Shape} */ (wanted)) {
    if (Array.isArray(/** @type {Shape} */ (wanted)[name])) values[name] = []
  }
  return values
}

/**
 * @typedef {object} Scope namespaces by prefix
 * @property {string} usual the default namespace: of names without a prefix
 * @property {ReadonlyMap<string, string>} prefixes
 */

/** @param {number} code NaN at the end of the text */
function isNameByte(code) {
  // Letters, digits, `_`, `-`, `.`, `:`, or a byte of a character outside ASCII.
  if (code >= 0x61 ? code <= 0x7a || code >= 0x80 : code >= 0x41 && code <= 0x5a) return true
  return (code >= 0x30 && code <= COLON) || code === 0x5f || code === 0x2d || code === 0x2e
}

/** @param {Scope} scope @param {string} attributes @returns {Scope} */
function scopeOf(scope, attributes) {
  if (!attributes.includes('xmlns')) return scope
  let { usual } = scope
  const prefixes = new Map(scope.prefixes)
  for (const [, prefix, double, single] of attributes.matchAll(NAMESPACES)) {
    const uri = resolve(double ?? single, true)
    if (prefix === undefined) usual = uri
    else prefixes.set(prefix, uri)
  }
  return { usual, prefixes }
}

/** @param {string} text @param {boolean} lenient */
function resolve(text, lenient) {
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
