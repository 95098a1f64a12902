'use strict'

/** Errors that every engine may return. An engine adds its own rows: see withRows in ../index.js. */

const { EXIT } = require('./exit')

/** @type {Record<string, import('.').Row>} */
module.exports = {
  ACTION_VERSION: {
    exit: EXIT.ENGINE,
    message: f => `The action ${f.action} on ${f.where} does not fit this xfer: ${f.reason}.`,
    hint: f => `Run ${f.deployCommand ?? 'xfer deploy'}, then repeat the command.`,
  },
}
