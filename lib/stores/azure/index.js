'use strict'

/** The factory of the store `az://`. What the help and usage errors do not need is loaded when it is used. */

const { FORMS, options } = require('./options')

/** @type {import('../contract').StoreFactory<import('./settings').AzureSettings>} */
const azure = {
  schemes: ['az'],
  example: FORMS,
  forms: FORMS,
  configured: 'az:// by AZURE_STORAGE_CONNECTION_STRING, AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or az login',
  options,
  terms: side => require('./explain').termsOf(side),
  parse: (text, side) => require('./place').parse(text, side),
  parseAccount: text => require('./place').parseAccount(text),
  keyFault: key => require('./place').keyFault(key),
  identify: (place, settings) => require('./place').identify(place, settings),
  settings: async (place, side, given, env) => await require('./settings').resolveSide(place, side, given, env),
  open: (place, settings, { location, now }) => require('./store').openAzureStore({ place, settings, location, now }),
}

module.exports = azure
