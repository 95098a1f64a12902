'use strict'

const { childText, content, readXml } = require('../common/xml')

/** Documents as S3 writes them. */

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

/**
 * Makes a document. `value`: as for `element` of common/xml.js; `namespace`: whether it has S3's, which error documents don't have.
 *
 * @param {string} root
 * @param {unknown} value
 * @param {{ namespace?: boolean }} [options]
 */
function writeXml(root, value, { namespace = true } = {}) {
  const attribute = namespace ? ` xmlns="${NAMESPACE}"` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${attribute}>${content(value)}</${root}>`
}

module.exports = { writeXml, readXml, childText }
