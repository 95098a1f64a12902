'use strict'

/** Counts, progress and events of the copy of a prefix. */

const { createFailures } = require('./failures')
const { checkFiles } = require('./files')
const { createNotifyOnce } = require('./notify-once')
const { watchPrefix } = require('./watch')

module.exports = { checkFiles, createFailures, createNotifyOnce, watchPrefix }
