'use strict'

/**
 * Shared by engines: the action's interface, the limits of an engine without limits, and what deployments have in common. Each
 * file is loaded when it is first used, because the help needs only the options.
 */

module.exports = {
  get toOutcomes() {
    return require('./protocol').toOutcomes
  },
  get toParameters() {
    return require('./protocol').toParameters
  },
  get UNLIMITED() {
    return require('./protocol').UNLIMITED
  },
  get misfitOf() {
    return require('./protocol').misfitOf
  },
  get describeAccess() {
    return require('./checks').describeAccess
  },
  get timeInvocations() {
    return require('./checks').timeInvocations
  },
  get DEPLOYMENT() {
    return require('./options').DEPLOYMENT
  },
  get functionArchive() {
    return require('./archive').functionArchive
  },
  get functionFiles() {
    return require('./archive').functionFiles
  },
  get readFolder() {
    return require('./archive').readFolder
  },
  get zipFiles() {
    return require('./archive').zipFiles
  },
  get unzipFiles() {
    return require('./archive').unzipFiles
  },
}
