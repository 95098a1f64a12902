'use strict'

/** What is counted and told of the copy of a prefix. */

const { createFailures } = require('./failures')
const { checkFiles } = require('./files')
const { createToldOnce } = require('./notify-once')
const { watchPrefix } = require('./watch')

module.exports = { checkFiles, createFailures, createToldOnce, watchPrefix }
