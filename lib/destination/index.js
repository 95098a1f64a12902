'use strict'

/** Questions to the destination: what it holds, whether it enforces conditions and checks checksums, which uploads it has. */

module.exports = {
  ...require('./look'),
  ...require('./listed'),
  ...require('./remove-wrong'),
  ...require('./canary'),
  ...require('./uploads'),
}
