'use strict'

/** XML's names, references and namespaces. */

const ENTITIES = /** @type {Record<string, string>} */ ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })
const NAMESPACES = /[ \t\r\n]xmlns(?::([\w.-]+))?[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/g
const COLON = 0x3a

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

module.exports = { isNameByte, resolve, scopeOf, shown }
