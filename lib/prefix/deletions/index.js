'use strict'

/** The deletions of a sync, and the guards against too many. */

const { createDeletions } = require('./deletions')
const { readMostDeleted } = require('./guards')

module.exports = { createDeletions, readMostDeleted }
