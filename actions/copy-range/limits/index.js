'use strict'

/** What an invocation may use: its time, and bytes a second. */

const { makeDeadline } = require('./deadline')
const { createPace, PACE_BYTES } = require('./pace')

module.exports = { createPace, makeDeadline, PACE_BYTES }
