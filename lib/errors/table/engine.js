'use strict'

/** Errors that every engine may return. An engine adds its own rows: see withRows in ../index.js. */

const { EXIT } = require('./exit')

/** @type {Record<string, import('.').Row>} */
module.exports = {
  PLATFORM_UNDECIDED: {
    exit: EXIT.ENGINE,
    message: f => `No platform is configured, and ${f.neededBy} needs one: neither ${f.platforms}.`,
    hint: f => `Configure one of them: ${f.ways}.`,
  },
  ACTION_VERSION: {
    exit: EXIT.ENGINE,
    message: f => `The action ${f.action} on ${f.where} does not fit this xfer: ${f.reason}.`,
    hint: f => `Run ${f.deployCommand ?? 'xfer deploy'}, then repeat the command.`,
  },
}
