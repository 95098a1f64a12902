'use strict'

/** What an answer says, by the rule of its store: of its object, of its checksum, and why a request was refused. */

const { checksumIn } = require('./checksum')
const { describing, isAs, reportedHeaders, unlessLong } = require('./description')
const { bareEtag } = require('./etag')
const { headerIn } = require('./header')
const { readBody, refusal } = require('./refusal')
const { rulesError, ruleNamed } = require('./rule')

module.exports = {
  bareEtag,
  checksumIn,
  describing,
  headerIn,
  isAs,
  rulesError,
  readBody,
  refusal,
  ruleNamed,
  reportedHeaders,
  unlessLong,
}
