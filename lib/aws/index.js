'use strict'

/** What every client of an AWS service shares: profiles, credentials, signatures. */

module.exports = { ...require('./credentials'), ...require('./profiles'), ...require('./sigv4') }
