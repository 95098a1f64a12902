'use strict'

/** The XML of S3: its documents, and the answers that carry them. */

const { answerReader, named } = require('./answers')
const { foreignType, readRefusal } = require('./documents')

module.exports = { answerReader, foreignType, named, readRefusal }
