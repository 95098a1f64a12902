'use strict'

/** Shared by engines: the action's interface, the limits of an engine without limits, and what deployments have in common. */

module.exports = {
  ...require('./checks'),
  ...require('./protocol'),
  ...require('./refusals'),
  // A copy needs no archive, and what makes one.
  get functionArchive() {
    return require('./archive').functionArchive
  },
  get functionFiles() {
    return require('./archive').functionFiles
  },
  get readBundle() {
    return require('./archive').readBundle
  },
  get readFolder() {
    return require('./archive').readFolder
  },
  get unzipFiles() {
    return require('./archive').unzipFiles
  },
  get zipFiles() {
    return require('./archive').zipFiles
  },
}
