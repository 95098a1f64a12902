'use strict'

/** Shared by engines: the action's interface, the limits of an engine without limits, and what deployments have in common. */

module.exports = { ...require('./archive'), ...require('./checks'), ...require('./protocol'), ...require('./refusals') }
