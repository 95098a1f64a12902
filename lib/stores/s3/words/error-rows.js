'use strict'

/** The rows that S3 adds to the table of errors. */

const { EXIT, withRows } = require('../../../errors')

/** @type {Record<string, import('../../../errors').Row>} */
const ROWS = {
  NO_SUCH_PROFILE: {
    exit: EXIT.ACCESS,
    message: f => `The ${f.side} names the profile "${f.profile}", and no such profile is configured.`,
    hint: () => 'Check the name in ~/.aws/config and ~/.aws/credentials, or where AWS_CONFIG_FILE points.',
  },
}

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

module.exports = { ROWS, XferError }
