'use strict'

/** Counts, progress and events of the copy of a prefix. */

const { createAhead, watchPrefix } = require('./watch')
const { createFailures, isOfAll, unwritable } = require('./failures')
const { createInOrder, createNotifyOnce } = require('./events')

module.exports = { createAhead, createFailures, createInOrder, createNotifyOnce, isOfAll, unwritable, watchPrefix }
