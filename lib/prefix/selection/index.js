'use strict'

/** Which objects of a prefix are copied, and the progress through its names. */

const { createCursors } = require('./cursors')
const { namedSteps } = require('./named')
const { judgeFilters, judgeNothing } = require('./nothing')
const { readResumed } = require('./resumed')
const { readSelection } = require('./selection')

module.exports = { createCursors, judgeFilters, judgeNothing, namedSteps, readResumed, readSelection }
