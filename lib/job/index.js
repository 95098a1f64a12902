'use strict'

/** A job from its options to its end: opened, run, stopped, and written to a journal so that it can be resumed. */

const { contextOf } = require('./context')
const { abortUpload, openDestination } = require('./destination-store')
const { leaveFiles, withoutFiles } = require('./foreign-journal')
const { openJob } = require('./open')
const { idsOf, ownersOf } = require('./owners')
const { perform } = require('./run')
const { NO_JOURNAL, chooseAgain, openUnfinished } = require('./unfinished')

module.exports = {
  abortUpload,
  chooseAgain,
  contextOf,
  idsOf,
  leaveFiles,
  NO_JOURNAL,
  openDestination,
  openJob,
  openUnfinished,
  ownersOf,
  perform,
  withoutFiles,
}
