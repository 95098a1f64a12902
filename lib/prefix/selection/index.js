'use strict'

/** Which objects of a prefix are copied, and the progress through its names. */

const { createCursors } = require('./cursors')
const { digestNames } = require('./names-digest')
const { skipFolderMarker } = require('./folder-marker')
const { namedSteps } = require('./named')
const { judgeFilters, judgeNothing } = require('./nothing')
const { readResumed } = require('./resumed')
const { readSelection } = require('./selection')

module.exports = {
  createCursors,
  digestNames,
  judgeFilters,
  judgeNothing,
  namedSteps,
  readResumed,
  readSelection,
  skipFolderMarker,
}
