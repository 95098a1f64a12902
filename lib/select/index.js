'use strict'

/** Which objects are selected, and what to do with each. */

const { LONGEST_COPY_S, MARGIN_S, decide, isSameTime } = require('./decide')
const { createFilter } = require('./filter')
const { lineOf, namesIn, readNames } = require('./names')
const { createSpool } = require('./spool')

module.exports = {
  LONGEST_COPY_S,
  MARGIN_S,
  createFilter,
  createSpool,
  decide,
  isSameTime,
  lineOf,
  namesIn,
  readNames,
}
