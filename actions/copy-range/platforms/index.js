'use strict'

/** What is one platform's own: the only place of the action where platforms are told apart. */

const { createHandler } = require('./lambda')
const { deadlineMs } = require('./openwhisk')

module.exports = { createHandler, deadlineMs }
