'use strict'

/** The XML of S3: its documents, and the answers that carry them. */

const { readAnswer } = require('./answers')
const { foreignType, readRefusal } = require('./documents')

module.exports = { foreignType, readAnswer, readRefusal }
