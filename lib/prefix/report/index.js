'use strict'

/** Counts, progress and events of the copy of a prefix. */

const { createAhead } = require('./ahead')
const { createFailures, isOfAll, unwritable } = require('./failures')
const { createInOrder, createNotifyOnce } = require('./events')
const { watchPrefix } = require('./watch')

module.exports = { createAhead, createFailures, createInOrder, createNotifyOnce, isOfAll, unwritable, watchPrefix }
