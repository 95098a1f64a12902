'use strict'

/** Counts, progress and events of the copy of a prefix. */

const { createAhead } = require('./ahead')
const { createFailures, isOfAll } = require('./failures')
const { checkFiles } = require('./files')
const { createInOrder } = require('./in-order')
const { createNotifyOnce } = require('./notify-once')
const { watchPrefix } = require('./watch')

module.exports = { checkFiles, createAhead, createFailures, createInOrder, createNotifyOnce, isOfAll, watchPrefix }
