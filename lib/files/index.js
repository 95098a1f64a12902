'use strict'

/** Files of this machine: which version one is, its folder and its path without detours by links, how it gets its final name; and where the home folder is. */

module.exports = {
  ...require('./folder'),
  ...require('./make-folders'),
  ...require('./home'),
  ...require('./partial'),
  ...require('./real-path'),
}
