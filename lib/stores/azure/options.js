'use strict'

/** The options of Azure Blob Storage. The help loads this file: it requires little. */

const { ENDPOINT_URL, NO_SIGN_REQUEST, VERSION_ID } = require('../common')

/** How a place is written. */
const FORMS = 'az://account/container/key'

module.exports = { FORMS, options: [ENDPOINT_URL, NO_SIGN_REQUEST, VERSION_ID] }
