'use strict'

const { childText, content, readXml } = require('../common/xml')

/** Documents as Azure writes them. */

/**
 * @param {string} root its name
 * @param {unknown} value as for `element` of common/xml.js
 */
function writeXml(root, value) {
  return `\ufeff<?xml version="1.0" encoding="utf-8"?><${root}>${content(value)}</${root}>`
}

module.exports = { childText, readXml, writeXml }
