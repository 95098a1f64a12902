'use strict'

/** Redis, as its store and the transport of the embedded engine use it: connections, and scripts that do one thing in one step. */

const { checked, statusOf, wordOf, openSession, withSession } = require('./session')
const scripts = require('./scripts')

module.exports = { checked, openSession, scripts, statusOf, withSession, wordOf }
