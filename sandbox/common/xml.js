'use strict'

/**
 * Reads and writes the XML of stores: documents of elements and text only. DTDs, CDATA and other constructs that the APIs
 * do not use are refused.
 */

const ENTITIES = /** @type {Record<string, string>} */ ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })
const ESCAPES = /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })
// Control characters (except line end and tab) are not allowed in XML 1.0, but S3 writes them as references.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be escaped
const TO_ESCAPE = /[&<>"\u0000-\u0008\u000b-\u001f]/g

/** @param {string} text */
function escapeText(text) {
  return text.replace(TO_ESCAPE, char => ESCAPES[char] ?? `&#x${char.charCodeAt(0).toString(16)};`)
}

/**
 * @param {string} name followed by its attributes, where it has some
 * @param {unknown} value a scalar; an object of child elements; an array to repeat the element; null or undefined for none
 * @returns {string}
 */
function element(name, value) {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(item => element(name, item)).join('')
  return `<${name}>${content(value)}</${name.split(' ')[0]}>`
}

/** @param {unknown} value @returns {string} */
function content(value) {
  if (typeof value !== 'object' || value === null) return escapeText(String(value))
  return Object.entries(value)
    .map(([name, child]) => element(name, child))
    .join('')
}

/**
 * @typedef {object} Element
 * @property {string} name without its namespace prefix
 * @property {Element[]} children
 * @property {string} text the text directly in it, entities resolved
 */

const TOKEN =
  /<\?[^>]*\?>|<!--[\s\S]*?-->|<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/y

/**
 * @param {string} document
 * @returns {Element} the root
 * @throws {SyntaxError}
 */
function readXml(document) {
  const top = /** @type {Element} */ ({ name: '', children: [], text: '' })
  const open = [top]
  TOKEN.lastIndex = document.startsWith('\ufeff') ? 1 : 0
  while (TOKEN.lastIndex < document.length) {
    const token = TOKEN.exec(document)
    if (!token) throw malformed()
    const [text, closing, name, , empty] = token
    const parent = open[open.length - 1]
    if (name === undefined) {
      if (text[0] !== '<') parent.text += resolveEntities(text)
    } else if (closing) {
      if (open.length === 1 || parent.name !== localName(name)) throw malformed()
      open.pop()
    } else {
      const child = { name: localName(name), children: [], text: '' }
      parent.children.push(child)
      if (!empty) open.push(child)
    }
  }
  if (open.length !== 1 || top.children.length !== 1 || top.text.trim() !== '') throw malformed()
  return top.children[0]
}

/** Stores answer it with an error of theirs (serve.js). */
function malformed() {
  return new SyntaxError('malformed XML')
}

/** @param {string} name */
function localName(name) {
  return name.slice(name.indexOf(':') + 1)
}

/** @param {string} text */
function resolveEntities(text) {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&]*);?/g, (reference, name) => {
    const number = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name)
    const char = number ? Number.parseInt(number[1] ?? number[2], number[1] ? 16 : 10) : undefined
    if (char !== undefined && char <= 0x10ffff) return String.fromCodePoint(char)
    if (!reference.endsWith(';') || !Object.hasOwn(ENTITIES, name)) throw malformed()
    return ENTITIES[name]
  })
}

/**
 * The text of an element's child of that name, trimmed.
 *
 * @param {Element} parent
 * @param {string} name
 * @returns {string | undefined}
 */
function childText(parent, name) {
  return parent.children.find(child => child.name === name)?.text.trim()
}

/**
 * The tags of a TagSet, as S3 and Azure have it.
 *
 * @param {Element} document
 * @returns {[key: string, value: string][]}
 * @throws {SyntaxError}
 */
function readTags(document) {
  const set = document.children.find(child => child.name === 'TagSet')
  if (!set) throw malformed()
  return set.children.map(tag => [childText(tag, 'Key') ?? '', childText(tag, 'Value') ?? ''])
}

/** @param {string} root @param {unknown} value as for `element` @returns {string} a document as Azure writes it */
function writeAzureXml(root, value) {
  return `\ufeff<?xml version="1.0" encoding="utf-8"?><${root}>${content(value)}</${root}>`
}

/**
 * Makes a document as S3 writes it. `namespace`: whether it has S3's, which error documents don't have.
 *
 * @param {string} root
 * @param {unknown} value as for `element`
 * @param {{ namespace?: boolean }} [options]
 */
function writeS3Xml(root, value, { namespace = true } = {}) {
  const attribute = namespace ? ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attribute}>${content(value)}</${root}>`
}

module.exports = { childText, readTags, readXml, writeAzureXml, writeS3Xml }
