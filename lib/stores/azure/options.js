'use strict'

/** The options of Azure Blob Storage. The help loads this file: it requires little. */

const { ENDPOINT_URL, NO_SIGN_REQUEST, VERSION_ID } = require('../common')

/** @typedef {import('../../options/contract').OptionSpec} OptionSpec */

/** @type {OptionSpec[]} */
const options = [
  ENDPOINT_URL,
  NO_SIGN_REQUEST,
  VERSION_ID,
  {
    name: 'snapshot',
    flag: '--snapshot',
    value: 'time',
    help: 'read this snapshot of the source (az://)',
    group: 'places',
    sides: ['source'],
    commands: ['copy', 'verify'],
    kept: true,
  },
  {
    name: 'shareSas',
    help: 'give functions the SAS that you set for az://, whatever else it allows',
    group: 'engine',
    commands: ['copy', 'sync', 'resume', 'verify'],
    kept: true,
    everySide: true,
  },
  {
    name: 'encryptionScope',
    value: 'name',
    defaultText: "the container's own setting",
    help: 'encrypt the copy with this scope of the account (az://)',
    group: 'attributes',
    commands: ['copy', 'sync'],
    kept: true,
  },
]

/** How a place is written. */
const FORMS = 'az://account/container/key'

module.exports = { FORMS, options }
