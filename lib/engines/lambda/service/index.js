'use strict'

/**
 * The service: the settings and the client of AWS Lambda, and its errors. Each file is loaded when it is first used, because
 * a copy on this machine needs at most the settings.
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
  get parseFunctionName() {
    return require('./function-name').parseFunctionName
  },
  get regionalEndpoint() {
    return require('./endpoint').regionalEndpoint
  },
  get resolveEngine() {
    return require('./settings').resolveEngine
  },
  get resolveLambda() {
    return require('./settings').resolveLambda
  },
  get openClient() {
    return require('./client').openClient
  },
  get readJson() {
    return require('./client').readJson
  },
  get notReady() {
    return require('./limits').notReady
  },
  get readLimits() {
    return require('./limits').readLimits
  },
  get fromFunctionError() {
    return require('./failures').fromFunctionError
  },
}
