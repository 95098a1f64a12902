'use strict'

/** The door to what Azure Blob Storage says of itself: its rows of the table of errors, and its words in the other rows. */

const { ROWS, XferError } = require('./error-rows')
const { termsOf } = require('./terms')

module.exports = { ROWS, XferError, termsOf }
