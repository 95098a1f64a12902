'use strict'

/** The door to what files say of themselves: their rows of the table of errors, and their words in the other rows. */

const { ROWS, XferError } = require('./error-rows')

/** @type {import('../../contract').StoreTerms} */
const TERMS = {
  container: 'folder',
  part: 'range',
  endpoint: 'the path',
  endpointInUse: 'the path',
  address: 'the path, and whether its file system is mounted',
  credentials: 'the owner and the mode of the file',
  credentialsAdvice: 'Run xfer as a user who may read and write there.',
}

module.exports = { ROWS, TERMS, XferError }
