'use strict'

/** What a sync deletes. */

const { createDeletions } = require('./deletions')

module.exports = { createDeletions }
