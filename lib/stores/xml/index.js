'use strict'

/** XML as stores speak it: reads documents strictly, by a table of the elements that are wanted, and writes them. */

const { USUAL_BYTES, createDocuments, foreignType, texts } = require('./documents')
const { readXml } = require('./read')
const { writeXml } = require('./write')

module.exports = { USUAL_BYTES, createDocuments, foreignType, readXml, texts, writeXml }
