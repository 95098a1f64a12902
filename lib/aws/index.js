'use strict'

/** What every client of an AWS service shares: profiles, credentials, signatures. */

module.exports = { ...require('./profiles'), ...require('./sigv4') }
