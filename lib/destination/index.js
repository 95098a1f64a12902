'use strict'

/** Questions to the destination: what it holds, whether it enforces conditions and checks checksums, which uploads it has. */

const { listUploads } = require('./bucket-uploads')
const {
  MOST_CONFLICTS,
  againOnConflict,
  checkDestination,
  checkFound,
  goWithout,
  asConditionError,
  isConditional,
  judgeCondition,
  readCondition,
  refusesConditions,
} = require('./condition')
const { UNSEEN, acceptGone, isUnchanged, judge, leavesOpen, look, unknownOutcome } = require('./look')
const { reportLost } = require('./lost-upload')
const { UNKNOWN_TIMING, trustParts } = require('./reconcile')
const { removeWrong } = require('./remove-wrong')
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
  asConditionError,
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
  reportLost,
  trustParts,
  UNKNOWN_TIMING,
  unknownOutcome,
  UNSEEN,
}
