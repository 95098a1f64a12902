'use strict'

/** One task: its two signed requests, what its outcome means, renewal of expired credentials, detached invocations. */

const { agreeConcurrency, askLimits, shareRate } = require('./allowance')
const { bodyWith, copyTaskMaker, taskMaker } = require('./make')
const { trackDetached } = require('./detached')
const { explainWith, mayHaveWritten } = require('./judge')
const { withRenewal } = require('./renew')

module.exports = {
  agreeConcurrency,
  askLimits,
  bodyWith,
  copyTaskMaker,
  trackDetached,
  explainWith,
  mayHaveWritten,
  shareRate,
  taskMaker,
  withRenewal,
}
