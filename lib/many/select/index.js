'use strict'

/** Which objects are selected, and what to do with each. */

module.exports = {
  ...require('./decide'),
  ...require('./filter'),
  ...require('./names'),
}
