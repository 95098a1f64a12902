'use strict'

const lib = require('../../lib')

/** @type {import('../run').Definition} */
module.exports = {
  summary: 'continue an unfinished copy',
  description: 'Continues a copy that was interrupted or killed, or that failed.',
  places: [['[JOB]', 'id of a job, the first letters of it, or the path of its journal']],
  job: ({ options }, job) => lib.resume(job, options),
}
