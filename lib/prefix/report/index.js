'use strict'

/** Counts, progress and events of the copy of a prefix. */

module.exports = { ...require('./events'), ...require('./failures'), ...require('./watch') }
