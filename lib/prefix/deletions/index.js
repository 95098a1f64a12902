'use strict'

/** The deletions of a sync. */

const { createDeletions } = require('./deletions')

module.exports = { createDeletions }
