'use strict'

/** What the destination is asked: what is there, whether it keeps conditions and checks checksums, which uploads it has. */

const { listUploads } = require('./bucket-uploads')
const {
  MOST_CONFLICTS,
  againOnConflict,
  checkDestination,
  checkFound,
  goWithout,
  inWordsOf,
  isConditional,
  judgeCondition,
  readCondition,
  refusesConditions,
} = require('./condition')
const { UNSEEN, acceptGone, isUnchanged, judge, leavesOpen, look, unknownOutcome } = require('./look')
const { tellLost } = require('./lost-upload')
const { UNKNOWN_TIMING, trustParts } = require('./reconcile')
const { removeWrong } = require('./removal')
const { findWritten, listStored, refreshEtags } = require('./stored-parts')
const { createTrust } = require('./trust')
const { ABORT_LIMIT_MS, abortUntilGone, findLost, giveUpUpload, isGone, mayHaveCreated } = require('./uploads')

module.exports = {
  ABORT_LIMIT_MS,
  abortUntilGone,
  acceptGone,
  againOnConflict,
  checkDestination,
  checkFound,
  createTrust,
  findLost,
  findWritten,
  giveUpUpload,
  goWithout,
  inWordsOf,
  isConditional,
  isGone,
  isUnchanged,
  judge,
  judgeCondition,
  leavesOpen,
  listStored,
  listUploads,
  look,
  mayHaveCreated,
  MOST_CONFLICTS,
  readCondition,
  refreshEtags,
  refusesConditions,
  removeWrong,
  tellLost,
  trustParts,
  UNKNOWN_TIMING,
  unknownOutcome,
  UNSEEN,
}
