'use strict'

/** Writes the documents of S3's requests. Pure. */

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** Line ends too: a reader of XML would change them. @type {Record<string, string>} */
const REFERENCES = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
  ...{ '\n': '&#xA;', '\r': '&#xD;', '\u0085': '&#x85;', '\u2028': '&#x2028;' },
}

/** @param {unknown} value */
function escapeText(value) {
  return String(value).replace(/[&<>"'\n\r\u0085\u2028]/g, char => REFERENCES[char])
}

/**
 * @param {string} name
 * @param {unknown} value an object: its members are elements; an array: the element is repeated; undefined: it is left out
 * @returns {string}
 */
function element(name, value) {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(each => element(name, each)).join('')
  return `<${name}>${typeof value === 'object' && value !== null ? content(value) : escapeText(value)}</${name}>`
}

/** @param {object} value */
function content(value) {
  return Object.entries(value)
    .map(([name, each]) => element(name, each))
    .join('')
}

/**
 * @param {string} root
 * @param {object} value its elements, in order
 * @returns {Buffer}
 */
function writeDocument(root, value) {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="${NAMESPACE}">${content(value)}</${root}>`)
}

module.exports = { writeDocument }
