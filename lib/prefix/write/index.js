'use strict'

/** Writes the objects of a prefix. */

module.exports = { ...require('./large'), ...require('./objects'), ...require('./rooms'), ...require('./ways') }
