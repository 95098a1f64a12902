'use strict'

/**
 * Questions to the destination: what it holds, whether it enforces conditions and checks checksums, which uploads it has.
 * Each file is loaded on first use.
 */

module.exports = {
  get ABORT_LIMIT_MS() {
    return require('./uploads').ABORT_LIMIT_MS
  },
  get abortUntilGone() {
    return require('./uploads').abortUntilGone
  },
  get acceptGone() {
    return require('./look').acceptGone
  },
  get againOnConflict() {
    return require('./condition').againOnConflict
  },
  get checkDestination() {
    return require('./condition').checkDestination
  },
  get checkFound() {
    return require('./condition').checkFound
  },
  get countParts() {
    return require('./lapse').countParts
  },
  get createTrust() {
    return require('./trust').createTrust
  },
  get findLost() {
    return require('./uploads').findLost
  },
  get findWritten() {
    return require('./stored-parts').findWritten
  },
  get abortOwnUpload() {
    return require('./uploads').abortOwnUpload
  },
  get asConditionError() {
    return require('./condition').asConditionError
  },
  get isConditional() {
    return require('./condition').isConditional
  },
  get isGone() {
    return require('./uploads').isGone
  },
  get isUnchanged() {
    return require('./look').isUnchanged
  },
  get judge() {
    return require('./look').judge
  },
  get judgeCondition() {
    return require('./condition').judgeCondition
  },
  get leavesOpen() {
    return require('./look').leavesOpen
  },
  get lapseOf() {
    return require('./lapse').lapseOf
  },
  get listNow() {
    return require('./stored-parts').listNow
  },
  get listStored() {
    return require('./stored-parts').listStored
  },
  get listUploads() {
    return require('./listed-uploads').listUploads
  },
  get look() {
    return require('./look').look
  },
  get meet() {
    return require('./look').meet
  },
  get mayHaveCreated() {
    return require('./uploads').mayHaveCreated
  },
  get MOST_CONFLICTS() {
    return require('./condition').MOST_CONFLICTS
  },
  get readCondition() {
    return require('./condition').readCondition
  },
  get refreshEtags() {
    return require('./stored-parts').refreshEtags
  },
  get removeWrong() {
    return require('./remove-wrong').removeWrong
  },
  get reportLost() {
    return require('./lost-upload').reportLost
  },
  get tellLapse() {
    return require('./lapse').tellLapse
  },
  get trustParts() {
    return require('./reconcile').trustParts
  },
  get UNKNOWN_TIMING() {
    return require('./reconcile').UNKNOWN_TIMING
  },
  get unknownOutcome() {
    return require('./look').unknownOutcome
  },
  get uploadsLeft() {
    return require('./uploads').uploadsLeft
  },
  get UNSEEN() {
    return require('./look').UNSEEN
  },
}
