'use strict'

/** One task: its two signed requests, what its outcome means, renewal of expired credentials, detached invocations. */

const { askPatiently } = require('./patience')
const { agreeConcurrency, askLimits, shareRate } = require('./allowance')
const { bodyWith } = require('./body')
const { trackDetached } = require('./detached')
const { explainWith, mayHaveWritten } = require('./judge')
const { copyTaskMaker, taskMaker } = require('./make')
const { withRenewal } = require('./renew')

module.exports = {
  agreeConcurrency,
  askLimits,
  askPatiently,
  bodyWith,
  copyTaskMaker,
  trackDetached,
  explainWith,
  mayHaveWritten,
  shareRate,
  taskMaker,
  withRenewal,
}
