'use strict'

/** The factory of the store `az://`. What the help and usage errors do not need is loaded when it is used. */

const { ENDPOINT_URL, NO_SIGN_REQUEST, VERSION_ID } = require('../common')

const FORMS = 'az://account/container/key'

/** @type {import('../contract').StoreFactory<import('./settings').AzureSettings>} */
const azure = {
  schemes: ['az'],
  example: FORMS,
  forms: FORMS,
  configured: 'az:// by AZURE_STORAGE_CONNECTION_STRING, AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or az login',
  options: [ENDPOINT_URL, NO_SIGN_REQUEST, VERSION_ID],
  terms: side => require('./explain').termsOf(side),
  place: () => require('./settings'),
  settings: async (place, side, given, env) => await require('./settings').resolveSide(place, side, given, env),
  open: (place, settings, { location, now }) => require('./store').openAzureStore({ place, settings, location, now }),
}

module.exports = azure
