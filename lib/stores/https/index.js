'use strict'

/** The factory of the store `https://`, a source only. What the help and usage errors do not need is loaded when it is used. */

const { FORMS, options } = require('./options')

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
  parse: (text, side) => require('./settings').parse(text, side),
  keyFault: () => undefined,
  identify: (place, settings) => require('./settings').identify(place, settings),
  settings: async (place, side, given, env) => await require('./settings').resolveSide(place, side, given, env),
  open: (place, settings, { location, now }) => require('./store').openHttpsStore({ place, settings, location, now }),
}

module.exports = https
