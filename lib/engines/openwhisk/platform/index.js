'use strict'

/**
 * The platform: its settings, its client, and its errors. Each file is loaded when it is first used, because a copy on this
 * machine needs at most the settings.
 */

module.exports = {
  get ROWS() {
    return require('./errors').ROWS
  },
  get XferError() {
    return require('./errors').XferError
  },
  get failure() {
    return require('./errors').failure
  },
  get factsOf() {
    return require('./errors').factsOf
  },
  get ACTION() {
    return require('./settings').ACTION
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
    return require('./refusals').fromActivation
  },
}
