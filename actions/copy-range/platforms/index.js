'use strict'

/** What is one platform's own: the only place of the action where platforms are told apart. */

const { deadlineMs } = require('./openwhisk')

module.exports = { deadlineMs }
