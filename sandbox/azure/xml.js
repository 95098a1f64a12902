'use strict'

const { childText, content, readXml } = require('../common/xml')
const { AzureError } = require('./errors')

/** Documents as Azure writes them, and its error for those that it cannot read. */

/**
 * @param {string} root its name
 * @param {unknown} value as for `element` of common/xml.js
 */
function writeXml(root, value) {
  return `\ufeff<?xml version="1.0" encoding="utf-8"?><${root}>${content(value)}</${root}>`
}

/** @param {string} text @throws {AzureError} InvalidXmlDocument */
function readDocument(text) {
  try {
    return readXml(text)
  } catch (cause) {
    throw new AzureError('InvalidXmlDocument', { cause })
  }
}

module.exports = { childText, readDocument, writeXml }
