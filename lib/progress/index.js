'use strict'

/** The progress of a job: the phase, what is done, the rate, and the time left. The same for one object and for many. */

const { lazily } = require('../lazily')
const { createActivity, createPhases, createSpeed } = require('./activity')

const own = { createActivity, createPhases, createSpeed, ...require('./watch') }

// Only a copy that lasts is judged.
module.exports = /** @type {typeof own & typeof import('./held-back')} */ (
  lazily(own, [[() => require('./held-back'), ['createHeldBack']]])
)
