'use strict'

/** The rows that Azure Blob Storage adds to the table of errors. No fact is a secret. */

const { EXIT, withRows } = require('../../../errors')

/** @type {Record<string, import('../../../errors').Row>} */
const ROWS = {
  AZURE_SETTING: {
    exit: EXIT.ACCESS,
    message: f => `${f.from} ${f.fault}.`,
    hint: f => f.advice,
  },
  SAS_LACKS: {
    exit: EXIT.ACCESS,
    message: f => `The SAS of the ${f.side} (${f.from}) ${f.fault}.`,
    hint: f => `Make a SAS of the blob service, for objects, with at least sp=${f.needs}.`,
  },
  ENTRA_FAILED: {
    exit: EXIT.ACCESS,
    message: f => `Microsoft Entra ID gave no token for the ${f.side}, by ${f.way}: ${f.reason}.`,
    hint: f => f.advice ?? 'Correct what it says, or set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN.',
  },
  ENTRA_UNREACHABLE: {
    exit: EXIT.ACCESS,
    message: f =>
      `Microsoft Entra ID gave no token for the ${f.side}, by ${f.way}: ${f.where} did not give one now (${f.reason}).`,
    hint: () => 'Try again later, or set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN.',
    retryable: true,
  },
}

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

module.exports = { ROWS, XferError }
