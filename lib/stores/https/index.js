'use strict'

/** The factory of the store `https://`, a source only. What the help and usage errors do not need is loaded when it is used. */

const { OF_SOURCE } = require('../common')

/** @typedef {import('../../options/contract').OptionRow} OptionRow */

/** @type {OptionRow[]} */
const options = [
  {
    name: 'header',
    takes: { as: '<name:value>', kind: 'pairs' },
    ...OF_SOURCE,
    help: 'send this header to the source (https://), or those in a file as @FILE; secret, never journalled; repeatable',
    helpFor: {
      library: "headers for the source (https://), such as { authorization: 'Bearer …' }; secret, never journalled",
    },
  },
  {
    // The journal never contains the values.
    name: 'headerNames',
    only: 'journal',
    takes: '<names>',
    ...OF_SOURCE,
    kept: { replacedBy: ['header'] },
    help: 'the job began with these headers for the source: they must be given again',
  },
  {
    // The journal never contains the query.
    name: 'queryDigest',
    only: 'journal',
    takes: '<digest>',
    ...OF_SOURCE,
    kept: true,
    help: "the source's address had a query: it must be given again",
  },
]

const FORMS = 'https://host/path'

/** @type {import('../contract').StoreFactory<import('./settings').HttpsSettings>} */
const https = {
  schemes: ['https', 'http'],
  sourceOnly: true,
  single: true,
  example: FORMS,
  forms: FORMS,
  configured: 'https:// by --source-header',
  options,
  get errors() {
    return require('./answers').ROWS
  },
  terms: () => require('./answers').TERMS,
  place: () => require('./settings'),
  settings: async (place, side, given, env) => await require('./settings').resolveSide(place, side, given, env),
  open: (place, settings, { location, now }) => require('./store').openHttpsStore({ place, settings, location, now }),
}

module.exports = https
