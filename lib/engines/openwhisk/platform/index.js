'use strict'

/**
 * The platform itself: where it is, how it is asked, and what its answers mean. Each is loaded when it is first asked for: a
 * copy on this machine needs to know at most whether a platform is configured.
 */

module.exports = {
  get ROWS() {
    return require('./errors').ROWS
  },
  get XferError() {
    return require('./errors').XferError
  },
  get deployCommand() {
    return require('./errors').deployCommand
  },
  get actionName() {
    return require('./package').actionName
  },
  get parsePackageName() {
    return require('./package').parsePackageName
  },
  get resolveEngine() {
    return require('./settings').resolveEngine
  },
  get resolvePlatform() {
    return require('./settings').resolvePlatform
  },
  get openClient() {
    return require('./client').openClient
  },
  get getPath() {
    return require('./client').getPath
  },
  get activationIdOf() {
    return require('./client').activationIdOf
  },
  get fromPlatformError() {
    return require('./refusals').fromPlatformError
  },
  get fromActivation() {
    return require('./failures').fromActivation
  },
}
