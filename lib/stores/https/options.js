'use strict'

/** The options of HTTPS sources. The help loads this file: it requires little. */

const { NO_SIGN_REQUEST } = require('../common')

/** @typedef {import('../../options/contract').OptionSpec} OptionSpec */

const SOURCE = /** @type {const} */ (['source'])

/** @type {OptionSpec[]} */
const options = [
  NO_SIGN_REQUEST,
  {
    name: 'header',
    value: 'name:value',
    type: 'pairs',
    help: 'send this header to the source (https://), or those in a file as @FILE; secret, never journalled; repeatable',
    libraryHelp: "headers for the source (https://), such as { authorization: 'Bearer …' }; secret, never journalled",
    group: 'places',
    sides: SOURCE,
  },
  {
    name: 'headerToFunctions',
    help: 'let functions have the headers and the password of the source (https://)',
    group: 'engine',
    // Those of one address that functions may read.
    commands: ['copy', 'sync', 'resume', 'verify', 'doctor'],
    sides: SOURCE,
    kept: true,
  },
  {
    // The journal never contains the values.
    name: 'headerNames',
    flag: false,
    value: 'names',
    help: 'the job began with these headers for the source: they must be given again',
    group: 'places',
    sides: SOURCE,
    kept: true,
    journalOnly: true,
    replacedBy: ['header'],
  },
  {
    // The journal never contains the query.
    name: 'queryDigest',
    flag: false,
    value: 'digest',
    help: "the source's address had a query: it must be given again",
    group: 'places',
    sides: SOURCE,
    kept: true,
    journalOnly: true,
  },
]

/** How a place is written. */
const FORMS = 'https://host/path'

module.exports = { FORMS, options }
