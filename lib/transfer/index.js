'use strict'

/** One task from making to judging: its two signed requests, its outcome, credentials that expired, invocations that outlive their call. */

const { agreeConcurrency, askLimits, shareRate } = require('./allowance')
const { createLate } = require('./detached')
const { explainWith, mayHaveWritten } = require('./judge')
const { copyTaskMaker, taskMaker } = require('./make')
const { withRenewal } = require('./renew')
const { requestPart, requestPut, requestRead } = require('./request')

module.exports = {
  agreeConcurrency,
  askLimits,
  copyTaskMaker,
  createLate,
  explainWith,
  mayHaveWritten,
  requestPart,
  requestPut,
  requestRead,
  shareRate,
  taskMaker,
  withRenewal,
}
