'use strict'

/** The manifest of a job: what it did to each object, sealed, and compared with the destination later. */

const { lazily } = require('../lazily')

const own = { ...require('./read'), ...require('./seal'), ...require('./write') }

// Who writes one does not compare.
module.exports = /** @type {typeof own & typeof import('./verify')} */ (
  lazily(own, [[() => require('./verify'), ['createComparison', 'sideOfManifest']]])
)
