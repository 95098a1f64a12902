'use strict'

/** How far a job is: what is done, at which rate, and how long it will take. The same for one object and for many. */

const { createActivity } = require('./activity')
const { createSpeed } = require('./rate')
const { progressAt, reportProgress } = require('./report')
const { watchProgress } = require('./watch')

module.exports = { createActivity, createSpeed, progressAt, reportProgress, watchProgress }
