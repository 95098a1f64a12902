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
    message: f => `The Azure CLI gave no token of Microsoft Entra ID for the ${f.side}: ${f.reason}.`,
    hint: () => 'Run az login, then repeat the command; or set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN.',
  },
}

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

module.exports = { ROWS, XferError }
