'use strict'

/**
 * Shared by engines: the action's interface, the limits of an engine without limits, and what platforms have in common. What
 * deploys requires archive/.
 */

module.exports = {
  ...require('./checks'),
  ...require('./protocol'),
  ...require('./refusals'),
  // A copy needs no archive, and what makes one.
  get functionArchive() {
    return require('../archive').functionArchive
  },
}
