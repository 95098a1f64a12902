'use strict'

/** Which objects are meant, and what becomes of each. */

const { LONGEST_COPY_S, MARGIN_S, decide } = require('./decide')
const { createFilter } = require('./filter')
const { lineOf, namesIn, readNames } = require('./names')

module.exports = { createFilter, decide, lineOf, LONGEST_COPY_S, MARGIN_S, namesIn, readNames }
