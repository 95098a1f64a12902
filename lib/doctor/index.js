'use strict'

/** The checks of `xfer doctor` that belong to no store and no engine, and what runs them. */

module.exports = { ...require('./run'), ...require('./reach'), ...require('./stores') }
