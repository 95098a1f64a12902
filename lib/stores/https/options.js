'use strict'

/** The options of HTTPS sources. The help loads this file: it requires little. */

const { OF_SOURCE } = require('../common')

/** @typedef {import('../../options/contract').OptionSpec} OptionSpec */

/** @type {OptionSpec[]} */
const options = [
  {
    ...{ name: 'header', value: 'name:value', type: 'pairs', ...OF_SOURCE },
    help: 'send this header to the source (https://), or those in a file as @FILE; secret, never journalled; repeatable',
    libraryHelp: "headers for the source (https://), such as { authorization: 'Bearer …' }; secret, never journalled",
  },
  {
    // The journal never contains the values.
    ...{ name: 'headerNames', only: 'journal', value: 'names', ...OF_SOURCE, kept: true },
    replacedBy: ['header'],
    help: 'the job began with these headers for the source: they must be given again',
  },
  {
    // The journal never contains the query.
    ...{ name: 'queryDigest', only: 'journal', value: 'digest', ...OF_SOURCE, kept: true },
    help: "the source's address had a query: it must be given again",
  },
]

/** How a place is written. */
const FORMS = 'https://host/path'

module.exports = { FORMS, options }
