'use strict'

/**
 * A job from its options to its end: opened, run, stopped, and written to a journal so that it can be resumed. Each
 * file is loaded on first use.
 */

module.exports = {
  get abortUpload() {
    return require('./destination-store').abortUpload
  },
  get ask() {
    return require('./open-one').ask
  },
  get openAsked() {
    return require('./open-one').openAsked
  },
  get contextOf() {
    return require('./context').contextOf
  },
  get emitNotices() {
    return require('./run').emitNotices
  },
  get endpointsOf() {
    return require('./context').endpointsOf
  },
  get headObject() {
    return require('./context').headObject
  },
  get idsOf() {
    return require('./others').idsOf
  },
  get leaveFiles() {
    return require('./foreign-journal').leaveFiles
  },
  get NO_JOURNAL() {
    return require('./unkept').NO_JOURNAL
  },
  get openDestination() {
    return require('./destination-store').openDestination
  },
  get openJob() {
    return require('./open').openJob
  },
  get openOne() {
    return require('./open-one').openOne
  },
  get openUpload() {
    return require('./open-upload').openUpload
  },
  get openUnfinished() {
    return require('./unfinished').openUnfinished
  },
  get ownersOf() {
    return require('./others').ownersOf
  },
  get perform() {
    return require('./run').perform
  },
  get chooseWished() {
    return require('./wish').chooseWished
  },
  get readWish() {
    return require('./wish').readWish
  },
  get refuseFiles() {
    return require('./foreign-journal').refuseFiles
  },
  get withoutFiles() {
    return require('./foreign-journal').withoutFiles
  },
}
