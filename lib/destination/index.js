'use strict'

/** Questions to the destination: what it holds, whether it enforces conditions and checks checksums, which uploads it has. */

module.exports = {
  ...require('./conditions'),
  ...require('./resumable'),
  ...require('./canary'),
  ...require('./trial'),
  ...require('./uploads'),
}
