'use strict'

/** What an answer says, by the rule of its store: of its object, of its checksum, and why a request was refused. */

const { checksumIn } = require('./checksum')
const { describing, isAs, toldOf, unlessLong } = require('./description')
const { bareEtag } = require('./etag')
const { headerIn } = require('./header')
const { readBody, refusal } = require('./refusal')
const { misunderstoodRules, ruleNamed } = require('./rule')

module.exports = {
  bareEtag,
  checksumIn,
  describing,
  headerIn,
  isAs,
  misunderstoodRules,
  readBody,
  refusal,
  ruleNamed,
  toldOf,
  unlessLong,
}
