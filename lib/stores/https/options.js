'use strict'

/** The options of HTTPS sources. The help loads this file: it requires nothing. */

/** @typedef {import('../../options/contract').OptionSpec} OptionSpec */

const SOURCE = /** @type {const} */ (['source'])

/** @type {OptionSpec[]} */
const options = [
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
