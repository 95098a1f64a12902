'use strict'

/** Line ends too: a reader of XML would change them. @type {Record<string, string>} */
const REFERENCES = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
  ...{ '\n': '&#xA;', '\r': '&#xD;', '\u0085': '&#x85;', '\u2028': '&#x2028;' },
}

/**
 * @param {Record<string, unknown>} document its root, and the content of it; elements in order
 * @param {string} [namespace]
 * @returns {Buffer | undefined} undefined if the root is
 */
function writeXml(document, namespace) {
  const text = content(document, namespace === undefined ? '' : ` xmlns="${namespace}"`)
  return text === '' ? undefined : Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
}

/** @param {object} value @param {string} [attribute] of its elements */
function content(value, attribute) {
  return Object.entries(value)
    .map(([name, each]) => element(name, each, attribute))
    .join('')
}

/**
 * @param {string} name
 * @param {unknown} value an object: its members are elements; an array: the element is repeated; undefined: it is left out
 * @param {string} [attribute]
 * @returns {string}
 */
function element(name, value, attribute = '') {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(each => element(name, each)).join('')
  const inner =
    typeof value === 'object' && value !== null
      ? content(value)
      : String(value).replace(/[&<>"'\n\r\u0085\u2028]/g, char => REFERENCES[char])
  return `<${name}${attribute}>${inner}</${name}>`
}

module.exports = { writeXml }
