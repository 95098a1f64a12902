'use strict'

/** The XML of S3: a strict reader, the documents that are read with it, and the answers that carry them. */

const { answerReader, named } = require('./answers')
const { foreignType, readRefusal } = require('./documents')
const { readXml } = require('./reader')

module.exports = { answerReader, foreignType, named, readRefusal, readXml }
