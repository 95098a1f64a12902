'use strict'

/** The version of the interface: of the parameters, the result and the failure codes. */
const VERSION = 2

module.exports = { VERSION }
