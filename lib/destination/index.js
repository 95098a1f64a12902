'use strict'

/** Questions to the destination: what it holds, whether it enforces conditions and checks checksums, which uploads it has. */

module.exports = {
  ...require('./condition'),
  ...require('./listed-uploads'),
  ...require('./look'),
  ...require('./remove-wrong'),
  ...require('./stored-parts'),
  ...require('./trust'),
  ...require('./uploads'),
}
