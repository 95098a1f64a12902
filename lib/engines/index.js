'use strict'

/** The door to the engines. The help needs only names and options: each other file is loaded when it is first used. */

module.exports = {
  ...require('./registry'),
  get checkEngineOptions() {
    return require('./choose').checkEngineOptions
  },
  get findEngines() {
    return require('./choose').findEngines
  },
  get chooseEngine() {
    return require('./choose').chooseEngine
  },
  get findFactory() {
    return require('./choose').findFactory
  },
  get createServerEngine() {
    return require('./server').createServerEngine
  },
  get toParameters() {
    return require('./common').toParameters
  },
  get functionArchive() {
    return require('./common').functionArchive
  },
  get UNLIMITED() {
    return require('./common').UNLIMITED
  },
}
