'use strict'

/** The progress of a job: the phase, what is done, the rate, and the time left. The same for one object and for many. */

const { createActivity, createPhases, createSpeed } = require('./activity')
const { metricText } = require('./prometheus')
const { progressAt, reportProgress, watchProgress } = require('./watch')

module.exports = { createActivity, createPhases, createSpeed, metricText, progressAt, reportProgress, watchProgress }
