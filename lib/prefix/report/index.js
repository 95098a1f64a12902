'use strict'

/** Counts, progress and events of the copy of a prefix. */

const { createInOrder, createNotifyOnce } = require('./events')
const { createFailures, isOfAll, unwritable } = require('./failures')
const { createAhead, watchPrefix } = require('./watch')

module.exports = { createAhead, createFailures, createInOrder, createNotifyOnce, isOfAll, unwritable, watchPrefix }
