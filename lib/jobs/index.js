'use strict'

/** Jobs that were not finished, and uploads that nobody will finish. */

const { abortJob } = require('./abort')
const { clean } = require('./clean')
const { jobs } = require('./list')

module.exports = { abortJob, clean, jobs }
