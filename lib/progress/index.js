'use strict'

/** The progress of a job: the phase, what is done, the rate, and the time left. The same for one object and for many. */

const { lazily } = require('../lazily')
const { createActivity, createPhases, createSpeed } = require('./activity')
const { progressAt, reportProgress, watchProgress } = require('./watch')

const own = { createActivity, createPhases, createSpeed, progressAt, reportProgress, watchProgress }

// Only a copy that lasts is judged, and few write metrics.
module.exports = /** @type {typeof own & typeof import('./held-back') & typeof import('./prometheus')} */ (
  lazily(own, [
    [() => require('./held-back'), ['createHeldBack']],
    [() => require('./prometheus'), ['labelsText', 'metricText']],
  ])
)
