'use strict'

const { childText, content, readXml } = require('../common/xml')
const { AzureError } = require('./errors')

/** Documents as Azure writes them, and its error for those that it cannot read. */

/**
 * @param {string} root its name, and its attributes
 * @param {unknown} value as for `element` of common/xml.js
 */
function writeXml(root, value) {
  return `\ufeff<?xml version="1.0" encoding="utf-8"?><${root}>${content(value)}</${root.split(' ')[0]}>`
}

/** @param {string} value of an attribute */
function quoted(value) {
  return content(value).replaceAll("'", '&apos;')
}

/** @param {string} text @throws {AzureError} InvalidXmlDocument */
function readDocument(text) {
  try {
    return readXml(text)
  } catch (cause) {
    throw new AzureError('InvalidXmlDocument', { cause })
  }
}

module.exports = { childText, quoted, readDocument, writeXml }
