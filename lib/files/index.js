'use strict'

/** Files of this machine: which version one is, its folder without detours by links, and how it gets its final name. */

module.exports = { ...require('./folder'), ...require('./partial') }
