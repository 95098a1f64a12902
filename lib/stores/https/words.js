'use strict'

/** What HTTPS sources say of themselves: their rows of the table of errors, and their words in the other rows. */

const { EXIT, withRows } = require('../../errors')

/** What to do where xfer needs more of a server than it does. @param {string} [flags] of curl */
const asStream = (flags = '') => `Read it with curl -fsSL ${flags}URL; xfer copy - DEST writes what comes.`

/** @type {Record<string, import('../../errors').Row>} */
const ROWS = {
  NO_RANGES: {
    exit: EXIT.FAILED,
    message: f => `The source ${f.location} cannot be read in parts: its server ${f.reason}.`,
    hint: () => asStream(),
  },
  ENCODED_SOURCE: {
    exit: EXIT.FAILED,
    message: f =>
      `The source ${f.location} is sent in the encoding ${f.encoding}, though xfer asked for the object as it is: its bytes may differ from one answer to the next.`,
    hint: () => asStream('--compressed '),
  },
}

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

/** @type {import('../contract').StoreTerms} */
const TERMS = {
  container: 'host',
  endpoint: 'the address',
  endpointInUse: 'the address',
  address: 'the address',
  credentials: 'what --source-header gives',
  credentialsAdvice: 'Give --source-header.',
  accessAdvice: 'Give what the server asks for by --source-header, or get a new address if this one was signed.',
  settingsAdvice: 'Give the same address again.',
}

module.exports = { ROWS, TERMS, XferError }
