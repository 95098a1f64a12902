'use strict'

/** Which objects of a prefix are copied, and the progress through its names. */

module.exports = {
  ...require('./cursors'),
  ...require('./named'),
  ...require('./resumed'),
  ...require('./selection'),
}
