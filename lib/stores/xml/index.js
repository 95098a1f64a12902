'use strict'

/** XML as stores speak it: reads documents strictly, by a table of the elements that are wanted, and writes them. */

module.exports = { ...require('./documents'), ...require('./read') }
