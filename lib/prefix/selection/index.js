'use strict'

/** Which objects of a prefix are copied, and the progress through its names. */

const { createCursors } = require('./cursors')
const { checkDeletions } = require('./deletion-guards')
const { namedSteps } = require('./named')
const { judgeNothing } = require('./nothing')
const { readResumed } = require('./resumed')
const { readSelection } = require('./selection')

module.exports = { checkDeletions, createCursors, judgeNothing, namedSteps, readResumed, readSelection }
